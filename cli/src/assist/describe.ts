import type { AssistResult, Intent, Plan, Plans } from '@echelon/assist'
import pc from 'picocolors'
import { clean } from '../terminal/clean.ts'

/** Describes an intent for a person. */
export function describeIntent(intent: Intent): string {
  const { north_stars, current_success, non_goals, stop_conditions, authority_rules } = intent
  const patterns = Object.keys(intent.patterns ?? {})
  return rows([
    ['north stars', north_stars],
    ['success', [current_success]],
    ['non-goals', non_goals],
    ['stops when', stop_conditions],
    ['rules', authority_rules],
    ...(patterns.length === 0 ? [] : [['patterns for', patterns] as const]),
  ])
}

/** Changes of the plan that are shown. */
const MOST_CHANGES = 3

/** Describes a plan and its latest changes for a person. */
export const describePlan = (
  { approach, altitude, constraints, focus }: Plan,
  history: Plans['revision_history'],
): string =>
  rows([
    ['approach', [approach]],
    ['altitude', [`${altitude} (${ALTITUDES[altitude]})`]],
    ['constraints', constraints],
    ['focus', focus],
    ...(history.length === 0
      ? []
      : [
          [
            'changes',
            history
              .slice(-MOST_CHANGES)
              .map((one) => `${one.timestamp} from ${one.plan.approach}: ${one.reason}`),
          ] as const,
        ]),
  ])

const ALTITUDES: Readonly<Record<Plan['altitude'], string>> = {
  L1: 'does one step',
  L2: 'orders steps',
  L3: 'weighs ways and trade-offs',
  L4: 'asks what it is for',
}

/** Says which layer decided what in a turn, and on what evidence. */
export function describeWhy({ why, outcome }: AssistResult): string {
  const lines = why.flatMap(({ layer, decided, because, evidence, by }) => [
    `${pc.cyan(clean(layer).padEnd(9))} ${clean(decided)} ${pc.dim(`(${by})`)}`,
    `          because ${clean(because)}`,
    ...evidence.map((words) => `          ${pc.dim(`“${clean(words)}”`)}`),
  ])
  return [...lines, `outcome   ${outcome.replaceAll('_', ' ')}`].join('\n')
}

function rows(fields: readonly (readonly [name: string, values: readonly string[]])[]): string {
  const width = Math.max(...fields.map(([name]) => name.length))
  return fields
    .flatMap(([name, values]) =>
      (values.length === 0 ? ['none'] : values).map(
        (value, at) => `${(at === 0 ? name : '').padEnd(width)}  ${clean(value)}`,
      ),
    )
    .join('\n')
}
