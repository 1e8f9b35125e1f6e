import { isJsonArray, isJsonObject } from 'echelon/internal/value'
import type { Json, JsonObject } from 'echelon/runtime'

/** The evidence for an answer. */
export interface Evidence {
  /** Tool results of this conversation, oldest first. */
  readonly results: readonly Json[]
  /** Names of work done for this message: successful tools, and the intent. */
  readonly done: readonly string[]
}

/** Something with a status: an order, a reservation. */
export interface Thing {
  /** Every short text in it that holds a digit, in lower case. */
  readonly ids: ReadonlySet<string>
  /** In lower case, with spaces: `in transit`. */
  readonly status: string
  readonly fields: JsonObject
}

/** The evidence, in the form in which claims are looked up. */
export interface Known {
  /** In their current state: a later result replaces an earlier one. */
  readonly things: readonly Thing[]
  /** The things of the newest result, which an answer that names none is about. */
  readonly newest: readonly Thing[]
  /** The newest result itself. */
  readonly result: Json
  /** Words of completed work, such as `issue`, `refund`. */
  readonly done: ReadonlySet<string>
}

const MOST_DEPTH = 12
const MOST_THINGS = 500

export function knownFrom({ results, done }: Evidence): Known {
  const things = new Map<string, Thing>()
  let newest: readonly Thing[] = []
  for (const result of results) {
    newest = thingsIn(result)
    for (const thing of newest) things.set(ownId(thing), thing)
  }
  return {
    things: [...things.values()],
    newest,
    result: results.at(-1) ?? null,
    done: new Set(done.flatMap(wordsOf).filter((word) => !NO_ACTION.has(word))),
  }
}

/** Words in tool names that name the object rather than the action. */
const NO_ACTION: ReadonlySet<string> = new Set(['order', 'orders', 'status', 'details', 'user'])

const wordsOf = (name: string): readonly string[] =>
  name
    .replaceAll(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z]+/)

const ownId = ({ fields, ids }: Thing): string => {
  const [, id] = Object.entries(fields).find(([key]) => /(?:^|_)(?:id|number)$/i.test(key)) ?? []
  return typeof id === 'string' ? id.toLowerCase() : ([...ids][0] ?? '')
}

const STATUS = /^(?:[a-z]+_)?(?:status|state)$/i

function thingsIn(value: Json, depth = 0): readonly Thing[] {
  if (depth > MOST_DEPTH || value === null || typeof value !== 'object') return []
  if (isJsonArray(value)) {
    return value.flatMap((one) => thingsIn(one, depth + 1)).slice(0, MOST_THINGS)
  }
  if (!isJsonObject(value)) return []
  const inner = Object.values(value).flatMap((one) => thingsIn(one, depth + 1))
  const [, status] = Object.entries(value).find(([key]) => STATUS.test(key)) ?? []
  if (typeof status !== 'string') return inner.slice(0, MOST_THINGS)
  const texts = Object.values(value).filter((one) => typeof one === 'string')
  const ids = texts.map((text) => text.toLowerCase()).filter((text) => IS_ID.test(text))
  const thing = { ids: new Set(ids), status: plain(status), fields: value }
  return [thing, ...inner].slice(0, MOST_THINGS)
}

const IS_ID = /^[a-z#]*[-_]?[a-z\d-]*\d[a-z\d-]*$/

export const plain = (text: string): string => text.toLowerCase().replaceAll(/[_-]+/g, ' ').trim()
