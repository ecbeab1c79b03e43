"""Text as lines: the analysis and the view that [log] and [terminal] share."""
