/** Skills: instructions and tools that a model opens when it needs them. */
export {}
