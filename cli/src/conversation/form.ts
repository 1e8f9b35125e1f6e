import { isJsonObject, type Json, type JsonObject } from 'echelon/runtime'
import { clean, cut } from '../terminal/clean.ts'
import type { Question } from './question.ts'

/** Fields of a question whose reply holds once and which has no reply by default. */
export const ASKED_ONCE: Pick<Question, 'meaning' | 'without' | 'tool' | 'mayHold'> = {
  meaning: () => undefined,
  without: undefined,
  tool: undefined,
  mayHold: false,
}

export const FORM_HINT = '(an empty line leaves out what is optional; /decline refuses all of it)'

/** Typed to refuse a whole form. */
const DECLINED = '/decline'
/** A form with more fields is asked as one answer in JSON. */
const MOST_FIELDS = 30
const MOST_CHARACTERS = 300

/** The reply of a field that was left empty. */
export const LEFT_OUT: Json = null

/** Whether the reply refuses the whole form. */
export const isDeclined = (reply: Json): boolean => reply === DECLINED

/** Turns each field of a form into a question; undefined unless all fields are plain. */
export function formOf({
  type,
  properties,
  required,
}: JsonObject): ReadonlyMap<string, Question> | undefined {
  if (type !== 'object' || !isJsonObject(properties)) return undefined
  const fields = Object.entries(properties)
  if (fields.length === 0 || fields.length > MOST_FIELDS) return undefined
  const asked = new Map<string, Question>()
  for (const [name, field] of fields) {
    if (!isJsonObject(field)) return undefined
    const isNeeded = isJsonArray(required) && required.includes(name)
    const question = fieldQuestion(name, field, isNeeded)
    if (question === undefined) return undefined
    asked.set(name, question)
  }
  return asked
}

function fieldQuestion(name: string, field: JsonObject, isNeeded: boolean): Question | undefined {
  const read = readerOf(field)
  if (read === undefined) return undefined
  const { description, default: usual } = field
  const about =
    typeof description === 'string' ? `: ${cut(clean(description), MOST_CHARACTERS)}` : ''
  const left = usual === undefined ? 'optional' : `optional, else ${JSON.stringify(usual)}`
  return {
    ...ASKED_ONCE,
    text: `  ${clean(name)}${about}`,
    prompt: `${clean(read.what)}${isNeeded ? '' : ` (${clean(left)})`}: `,
    read(typed) {
      const text = typed.trim()
      if (text === DECLINED) return DECLINED
      if (text === '') return isNeeded ? undefined : LEFT_OUT
      return read.read(text)
    },
    otherwise: `that is not valid; type ${clean(read.what)}`,
  }
}

interface Reader {
  /** Says what can be typed. */
  readonly what: string
  read(text: string): Json | undefined
}

function readerOf(field: JsonObject): Reader | undefined {
  const words = choicesOf(field)
  if (words !== undefined) return choice(words)
  const { type, items } = field
  if (type === 'array') return isJsonObject(items) ? severalOf(items) : undefined
  return typeof type === 'string' && Object.hasOwn(READERS, type) ? READERS[type] : undefined
}

const READERS: Readonly<Record<string, Reader>> = {
  string: { what: 'text', read: (text) => text },
  boolean: { what: 'yes or no', read: readYesOrNo },
  integer: { what: 'a whole number', read: (text) => numberIn(text, /^-?\d+$/) },
  number: { what: 'a number', read: (text) => numberIn(text, /\d/) },
}

/** The choices of a field, in any of the ways in which a schema lists them. */
function choicesOf({ enum: words, oneOf, anyOf }: JsonObject): readonly string[] | undefined {
  if (isJsonArray(words)) return words.filter((word) => typeof word === 'string')
  const options = isJsonArray(oneOf) ? oneOf : anyOf
  if (!isJsonArray(options)) return undefined
  return options.flatMap((option) => {
    const word = isJsonObject(option) ? option['const'] : undefined
    return typeof word === 'string' ? [word] : []
  })
}

const choice = (words: readonly string[]): Reader => ({
  what: `one of ${words.join(', ')}`,
  read: (text) => words.find((word) => word.toLowerCase() === text.toLowerCase()),
})

function severalOf(items: JsonObject): Reader | undefined {
  const words = choicesOf(items)
  if (words === undefined) return undefined
  const one = choice(words)
  return {
    what: `some of ${words.join(', ')}, with commas`,
    read(text) {
      const read = text.split(',').map((word) => one.read(word.trim()))
      const known = read.filter((word) => word !== undefined)
      return known.length === read.length ? known : undefined
    },
  }
}

export function readYesOrNo(typed: string): boolean | undefined {
  const word = typed.trim().toLowerCase()
  if (word === 'y' || word === 'yes') return true
  return word === 'n' || word === 'no' ? false : undefined
}

function numberIn(text: string, form: RegExp): number | undefined {
  const number = Number(text)
  return form.test(text) && Number.isFinite(number) ? number : undefined
}

const isJsonArray = (value: Json | undefined): value is readonly Json[] => Array.isArray(value)
