// Calls to the server. What is refused becomes an ApiError with the server's code and text.
export class ApiError extends Error {
  constructor(code, message, details, status) {
    super(message);
    this.code = code;
    this.details = details;
    this.status = status;
  }
}

/** One call with a body that is JSON text already; answers with text. `token` is a seat's secret. */
async function callText(method, path, body, token) {
  const headers = {};
  if (body !== undefined) headers["Content-Type"] = "application/json";
  if (token) headers.Authorization = `Bearer ${token}`;
  let answer;
  try {
    answer = await fetch(path, { method, headers, body });
  } catch {
    throw new ApiError("away", "the server does not answer", {}, 0);
  }
  const text = await answer.text();
  if (!answer.ok) throw refusal(text, answer);
  return text;
}

function refusal(text, { status, statusText }) {
  let error = {};
  try {
    error = JSON.parse(text).error;
  } catch { /* a proxy's page, say */ }
  return new ApiError(error.code ?? "error", error.message ?? statusText, error.details ?? {}, status);
}

export const getText = (path) => callText("GET", path);
export const postText = (path, text) => callText("POST", path, text);
export const get = async (path, token) => JSON.parse(await callText("GET", path, undefined, token));
export const post = async (path, body, token) => JSON.parse(await callText("POST", path, JSON.stringify(body ?? {}), token));

const kept = new Map();

/** A GET whose answer does not change while the page is open. */
export function getOnce(path) {
  if (!kept.has(path)) {
    const answer = get(path);
    kept.set(path, answer);
    answer.catch(() => kept.delete(path));
  }
  return kept.get(path);
}
