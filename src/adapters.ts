/** Other people's agents as sub-agents, and an Echelon agent as a model or an agent of theirs. */
export {}
