/** The grouping of measurements and limits. */
export type By = (typeof BYS)[number]

export const BYS = ['model', 'provider'] as const

/** The model's name, `provider/model`, or the part before its first slash. */
export const nameBy = (by: By, model: string): string =>
  by === 'model' ? model : (model.split('/')[0] ?? model)

/** The rule with the longest matching prefix of a name. */
export function ruleFor<Rule>(
  rules: Readonly<Record<string, Rule>>,
  name: string,
): Rule | undefined {
  const prefix = Object.keys(rules)
    .filter((one) => name.startsWith(one))
    .sort((a, b) => b.length - a.length)[0]
  return prefix === undefined ? undefined : rules[prefix]
}
