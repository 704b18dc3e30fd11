"""The commands: mind-opt, mind-translate, mind-run.  They wire; the work is done below."""
