/** Cost and value of a choice. */
export interface Worth {
  readonly cost: number
  readonly value: number
}

/** Returns the choices that no other choice beats in cost and value (Pareto frontier), cheapest first. */
export function frontierOf<Choice extends Worth>(choices: readonly Choice[]): readonly Choice[] {
  const sorted = choices.toSorted((a, b) => a.cost - b.cost || b.value - a.value)
  const frontier: Choice[] = []
  for (const choice of sorted) {
    const last = frontier.at(-1)
    if (last === undefined || choice.value > last.value) frontier.push(choice)
  }
  return frontier
}
