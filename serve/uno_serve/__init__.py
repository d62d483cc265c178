"""How others meet the agents: tables, the HTTP and WebSocket interface, the web page.

Imports everything below it, and never `train`."""
