"""The tools of `caveman-mcp`. `caveman_app.mcp` speaks the protocol; here is what the tools take, do and say."""
