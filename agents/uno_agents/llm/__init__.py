"""Language models as agents: `llm:MODEL`, over any OpenAI-compatible chat endpoint."""
