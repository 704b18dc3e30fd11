"""Running modules: the interpreter, and native code in this process."""
