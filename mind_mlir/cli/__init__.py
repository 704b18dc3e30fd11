"""The commands: mind-opt, mind-translate, mind-run, mind-tune. They read options and report; the work is done below."""
