// Sounds, made in the browser from tones and noise, and the buzz of a phone. Both are off until wanted.
import { settings } from "./settings.js";

let context = null;

function audio() {
  context ??= new AudioContext();
  if (context.state === "suspended") context.resume();
  return context;
}

/** A tone that fades: pitch in hertz, start and length in seconds. */
function tone(pitch, start, length, volume = 0.12, shape = "triangle") {
  const at = audio().currentTime + start;
  const source = new OscillatorNode(context, { type: shape, frequency: pitch });
  const gain = new GainNode(context, { gain: 0 });
  gain.gain.setValueAtTime(0, at);
  gain.gain.linearRampToValueAtTime(volume, at + 0.012);
  gain.gain.exponentialRampToValueAtTime(0.0001, at + length);
  source.connect(gain).connect(context.destination);
  source.start(at);
  source.stop(at + length);
}

/** A card on felt: a short burst of noise. */
function swish(start, length, pitch) {
  const { sampleRate } = audio();
  const buffer = new AudioBuffer({ length: Math.ceil(sampleRate * length), sampleRate });
  const samples = buffer.getChannelData(0);
  for (let n = 0; n < samples.length; n += 1) samples[n] = (Math.random() * 2 - 1) * (1 - n / samples.length) ** 2;
  const source = new AudioBufferSourceNode(context, { buffer });
  const filter = new BiquadFilterNode(context, { type: "bandpass", frequency: pitch, Q: 0.8 });
  source.connect(filter).connect(new GainNode(context, { gain: 0.35 })).connect(context.destination);
  source.start(context.currentTime + start);
}

const SOUNDS = {
  lay: () => swish(0, 0.09, 1800),
  draw: () => swish(0, 0.16, 900),
  hit: () => { tone(196, 0, 0.2, 0.14, "sawtooth"); tone(147, 0.12, 0.28, 0.14, "sawtooth"); },
  uno: () => { tone(659, 0, 0.14); tone(988, 0.1, 0.3); },
  turn: () => { tone(523, 0, 0.12, 0.09); tone(784, 0.09, 0.22, 0.09); },
  win: () => [523, 659, 784, 1047].forEach((pitch, n) => tone(pitch, n * 0.12, 0.34)),
};
const BUZZES = { turn: 40, hit: [60, 40, 60], uno: 30, win: [40, 60, 120] };

/** Make a sound and a buzz, as far as they are wanted and the device can. */
export function play(name) {
  if (settings.sound && typeof AudioContext !== "undefined") SOUNDS[name]?.();
  if (settings.vibration && BUZZES[name]) navigator.vibrate?.(BUZZES[name]);
}

const BY_EVENT = { "play": "lay", "jump-in": "lay", "discard-all": "lay", "draw": "draw", "uno-call": "uno", "catch": "uno" };

/** The sounds of what happened, at most one of each kind. */
export function soundEvents(events, me) {
  const wanted = new Set();
  for (const event of events) {
    const own = event.type === "draw" && event.seat === me && (event.count ?? 1) > 1;
    wanted.add(own ? "hit" : BY_EVENT[event.type]);
  }
  for (const name of wanted) if (name) play(name);
}

export const canVibrate = () => typeof navigator.vibrate === "function" && matchMedia("(pointer: coarse)").matches;
