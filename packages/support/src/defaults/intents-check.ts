import { MOST_CHARACTERS } from 'echelon/internal/classify'
import { waysToMatch } from 'echelon/internal/schema'
import { ORDER_VALUES } from '../customer/order-words.ts'
import type { IntentEntry, IntentsFile } from './intents-schema.ts'

/** An error in an otherwise well-typed value, with its position. */
export interface Flaw {
  readonly at: readonly (string | number)[]
  readonly problem: string
}

/** A pattern is matched against untrusted text: this many ways of matching are tried quickly at every position. */
const MOST_WAYS = 50_000

export function flawsOf(file: IntentsFile): readonly Flaw[] {
  const ids = file.intents.map(({ id }) => id)
  const unknown = (['ambiguous', 'topics'] as const).flatMap((list) =>
    (file[list] ?? []).flatMap(({ offer }, index) =>
      offer
        .filter((id) => !ids.includes(id))
        .map((id) => ({
          at: [list, index, 'offer'],
          problem: `there is no intent ${id}; there are ${ids.join(', ')}`,
        })),
    ),
  )
  const flaws = file.intents.flatMap((intent, index) => {
    const at = ['intents', index] as const
    const { min_tier: tier } = intent.constraints
    return [
      ...(ids.indexOf(intent.id) < index
        ? [{ at: [...at, 'id'], problem: `${intent.id} comes twice; give each intent its own id` }]
        : []),
      ...(tier !== null && !file.tiers.includes(tier)
        ? [{ at: [...at, 'constraints', 'min_tier'], problem: unknownTier(tier, file.tiers) }]
        : []),
      ...(typeof intent.restores === 'string' && !intent.required_params.includes(intent.restores)
        ? [
            {
              at: [...at, 'restores'],
              problem: `${intent.restores} is not a required parameter; name the one that undo sets back`,
            },
          ]
        : []),
      ...paramFlaws(intent, at),
      ...wordingFlaws(intent, at),
    ]
  })
  return [...flaws, ...unknown]
}

const unknownTier = (tier: string, tiers: readonly string[]): string =>
  tiers.length === 0
    ? `there are no tiers; write tiers: [${tier}] at the top of the file, lowest first`
    : `${tier} is none of the tiers; write one of ${tiers.join(', ')}`

type At = readonly (string | number)[]

function paramFlaws(intent: IntentEntry, at: At): readonly Flaw[] {
  const known = [...intent.required_params, ...intent.optional_params]
  const twice = known.find((name, index) => known.indexOf(name) < index)
  return [
    ...(twice === undefined
      ? []
      : [{ at: [...at, 'required_params'], problem: `${twice} comes twice; name it once` }]),
    ...Object.entries(intent.params).flatMap(([name, { pattern }]) => {
      const place = [...at, 'params', name]
      if (!known.includes(name)) {
        return [
          {
            at: place,
            problem: `${name} is not a parameter; add it to required_params or optional_params`,
          },
        ]
      }
      const problem = patternProblem(pattern ?? null)
      return problem === null ? [] : [{ at: [...place, 'pattern'], problem }]
    }),
  ]
}

function patternProblem(pattern: string | null): string | null {
  if (pattern === null) return null
  try {
    // Also inside another expression, as it is used: only there does a group that closes too early show.
    void [new RegExp(pattern, 'iu'), new RegExp(`(?:${pattern})`, 'iu')]
  } catch (error) {
    const why = error instanceof Error ? error.message.replace(/^.*: /, '') : String(error)
    return `the pattern is not a regular expression (${why})`
  }
  if (new RegExp(`^(?:${pattern})$`, 'iu').test(''))
    return 'the pattern matches nothing at all; make it match a value'
  return waysToMatch(pattern, MOST_CHARACTERS) > MOST_WAYS
    ? 'the pattern can match in too many ways, and some text would keep it busy for hours; repeat single characters only, with a limit such as {1,30}'
    : null
}

/** Names that the sentences before a result may use: only the parameters are known by then. */
function wordingFlaws(intent: IntentEntry, at: At): readonly Flaw[] {
  const known = [...intent.required_params, ...intent.optional_params, ...ORDER_VALUES]
  const {
    pre = '',
    would = '',
    confirm = '',
    would_too: wouldToo = '',
    post = '',
    post_by_status: byStatus,
  } = intent.wording
  const before = [
    ['pre', pre],
    ['would', would],
    ['confirm', confirm],
    ['would_too', wouldToo],
  ] as const
  const all = [...before, ['post', post] as const, ...Object.entries(byStatus)]
  return [
    ...before.flatMap(([key, text]) =>
      namesIn(text)
        .filter((name) => !known.includes(name))
        .map((name) => ({
          at: [...at, 'wording', key],
          problem: `{${name}} is not a parameter of ${intent.id}; it has ${ownParams(intent)}`,
        })),
    ),
    ...all.flatMap(([key, text]) => {
      const problem = braceProblem(text)
      const place = key in byStatus ? ['wording', 'post_by_status', key] : ['wording', key]
      return problem === null ? [] : [{ at: [...at, ...place], problem }]
    }),
  ]
}

const ownParams = ({ required_params: required, optional_params: optional }: IntentEntry): string =>
  [...required, ...optional].join(', ') || 'none'

const NAME = /\{([a-z][a-z0-9_]*)(?:\|([\w+]+))?\}/g
const FORMAT = /^(?:date(?:\+\d{1,3}b?)?|(?:over|past)\+\d{1,3}b?|money|time)$/

const namesIn = (text: string): readonly string[] =>
  [...text.matchAll(NAME)].map(([, name = '']) => name)

function braceProblem(text: string): string | null {
  const format = [...text.matchAll(NAME)].find(
    ([, , format]) => format !== undefined && !FORMAT.test(format),
  )
  if (format !== undefined)
    return `${format[0]} has an unknown form; write |date or |money, or none`
  if (/[{}]/.test(text.replace(NAME, '')))
    return 'a brace belongs to no {name}; write names in small letters'
  // A bracket left after removing every pair was never opened or never closed.
  return /[[\]]/.test(text.replace(/\[[^[\]]*\]/g, ''))
    ? 'a bracket [ … ] is not closed, was never opened, or stands within another'
    : null
}
