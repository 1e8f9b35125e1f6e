import { EchelonError } from 'echelon/runtime'
import type { Intent } from '@echelon/assist'

const LISTS = ['north_stars', 'non_goals', 'stop_conditions', 'authority_rules'] as const
type ListField = (typeof LISTS)[number]

/** Fields that `set` can change; patterns are edited in the file. */
export const FIELDS: readonly string[] = [LISTS[0], 'current_success', ...LISTS.slice(1)]

/** A change of one field. */
export interface Change {
  readonly field: string
  readonly values: readonly string[]
  readonly add?: true
  readonly remove?: true
}

/**
 * Applies a change to an intent. Patterns of removed entries are removed too.
 * @throws EchelonError INVALID_INPUT for an unknown field, or a change that the field does not allow
 */
export function changedIntent(intent: Intent, change: Change): Intent {
  const { field, values, add, remove } = change
  if (add && remove) throw usage('--add and --remove exclude each other')
  if (field === 'current_success') {
    if (add ?? remove) throw usage('current_success is one text; set it without --add or --remove')
    return { ...intent, current_success: values.join(' ') }
  }
  const list = LISTS.find((name) => name === field)
  if (list === undefined) throw usage(`there is no field ${field}; there are ${FIELDS.join(', ')}`)
  return withoutLoosePatterns({ ...intent, [list]: changedList(intent, list, change) })
}

function changedList(
  intent: Intent,
  list: ListField,
  { values, add, remove }: Change,
): readonly string[] {
  const before = intent[list]
  if (remove) {
    const unknown = values.find((value) => !before.includes(value))
    if (unknown !== undefined) {
      throw usage(`${list} does not hold “${unknown}”; it holds ${before.join(', ') || 'nothing'}`)
    }
    return before.filter((one) => !values.includes(one))
  }
  return [...new Set(add ? [...before, ...values] : values)]
}

function withoutLoosePatterns({ patterns, ...intent }: Intent): Intent {
  const known = [...intent.non_goals, ...intent.stop_conditions]
  const kept = Object.entries(patterns ?? {}).filter(([name]) => known.includes(name))
  return kept.length === 0 ? intent : { ...intent, patterns: Object.fromEntries(kept) }
}

const usage = (message: string): EchelonError => new EchelonError('INVALID_INPUT', message)
