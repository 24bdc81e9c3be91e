"""Reports, all made from the one stream of a run: terminal, Markdown, HTML, JUnit, badge, annotations, and two runs compared."""
