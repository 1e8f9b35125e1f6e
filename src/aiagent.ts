/** An agent as an AIAgent: the names and semantics of Microsoft Agent Framework. */
export {}
