import { MOST_FORM_CHARACTERS } from 'echelon/internal/model'
import { isJson, isJsonObject, isRecord } from 'echelon/internal/value'
import type { Json, JsonObject } from 'echelon/runtime'
import type { Intent } from '../intent.ts'
import {
  type Command,
  isUnclear,
  NOT_UNDERSTOOD,
  readAs,
  type Reading,
  SMALL_TALK,
  type SmallTalk,
} from '../understand/command.ts'

/** The model's answer if no intent fits. */
export const NONE = 'none'

/** Limit of one value; a longer one was made up rather than extracted. */
const LONGEST_VALUE = 500

/** Commands of one message; the rest is left to the next message. */
const MOST_COMMANDS = 5

/** A command as a model writes it. */
interface Written {
  readonly intent: Intent | null
  readonly params: JsonObject
  readonly confidence: number
  /** The customer's message. */
  readonly text: string
}

const smallTalk = (kind: SmallTalk) => (): Command => ({ type: 'small-talk', kind })

/** The words by which a model names the commands; `null` where the intent is missing that it needs. */
export const COMMANDS: Readonly<Record<string, (written: Written) => Command | null>> = {
  start: ({ intent, params, confidence }) =>
    intent === null ? null : { type: 'start-task', intentId: intent.id, params, confidence },
  answer: ({ params }) => ({ type: 'set-slots', params }),
  correct: ({ intent, params }) =>
    intent === null ? null : { type: 'correct-slots', intentId: intent.id, params },
  confirm: () => ({ type: 'confirm' }),
  deny: () => ({ type: 'deny' }),
  wait: () => ({ type: 'wait' }),
  cancel: () => ({ type: 'cancel-task' }),
  back: () => ({ type: 'go-back' }),
  repeat: () => ({ type: 'repeat' }),
  undo: () => ({ type: 'undo' }),
  waiting: () => ({ type: 'ask-waiting' }),
  person: () => ({ type: 'ask-person', params: {} }),
  question: ({ text }) => ({ type: 'ask-knowledge', question: text }),
  conditional: () => ({ type: 'conditional' }),
  unclear: ({ intent }) => ({ type: 'unclear', readings: intent === null ? [] : [intent.id] }),
  ...Object.fromEntries(SMALL_TALK.map((kind) => [kind, smallTalk(kind)])),
}

/** Earlier names of the same commands, as the design's four fields with our `act` had them. */
const ACTS: Readonly<Record<string, string>> = {
  wish: 'start',
  answer: 'answer',
  correct: 'correct',
  yes: 'confirm',
  no: 'deny',
  drop: 'cancel',
  unclear: 'unclear',
}

/** What an answer is read against. */
interface ReadAgainst {
  readonly intents: readonly Intent[]
  readonly text: string
}

/**
 * Parses a model's answer as commands; returns a sentence with the error if it is invalid. Values that are not
 * text, or of parameters that the intent does not have, are dropped. The design's four fields alone are a request.
 *
 * @param text the customer's message, which a question is looked up by
 */
export function readClassification(
  content: string,
  intents: readonly Intent[],
  text = '',
): Reading | string {
  const answer = parsed(content)
  if (!isRecord(answer)) return 'the answer is no JSON object'
  const { confidence } = answer
  if (typeof confidence !== 'number' || !(confidence >= 0 && confidence <= 1)) {
    return `confidence is ${inWords(confidence)}, and must be a number from 0 to 1`
  }
  const entries = entriesOf(answer)
  if (typeof entries === 'string') return entries
  const commands: Command[] = []
  for (const entry of entries.slice(0, MOST_COMMANDS)) {
    const command = commandOf(entry, confidence, { intents, text })
    if (typeof command === 'string') return command
    if (command !== null) commands.push(command)
  }
  if (commands.length === 0) return NOT_UNDERSTOOD
  const reading = readAs(commands, `the model read: ${commands.map(nameOf).join(', ')}`, confidence)
  return isUnclear(reading) ? { ...reading, confidence: 0 } : reading
}

const nameOf = (command: Command): string =>
  command.type === 'start-task' ? command.intentId : command.type

/** The commands of an answer, in either form. */
function entriesOf(answer: Readonly<Record<string, unknown>>): readonly unknown[] | string {
  const { commands, act, further_intents: further } = answer
  if (commands !== undefined) {
    return Array.isArray(commands)
      ? commands
      : `commands is ${inWords(commands)}, and must be a list`
  }
  const command = act === undefined ? 'start' : typeof act === 'string' ? ACTS[act] : undefined
  if (command === undefined) {
    return `act is ${inWords(act)}, and must be one of ${Object.keys(ACTS).join(', ')}`
  }
  const more: readonly unknown[] = Array.isArray(further) && command === 'start' ? further : []
  return [
    { ...answer, command },
    ...more.map((one) => (isRecord(one) ? { ...one, command: 'start' } : one)),
  ]
}

function commandOf(
  entry: unknown,
  confidence: number,
  { intents, text }: ReadAgainst,
): Command | string | null {
  if (!isRecord(entry)) return 'a command is no object'
  const { command: name, intent_id: id, extracted_params: given = {} } = entry
  const make =
    typeof name === 'string' && Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  if (make === undefined) {
    return `there is no command ${inWords(name)}; there are ${Object.keys(COMMANDS).join(', ')}`
  }
  const intent = intents.find((one) => one.id === id) ?? null
  const isMissing = id === undefined && name !== 'start' && name !== 'correct'
  if (intent === null && id !== NONE && id !== null && !isMissing) {
    return `there is no intent ${inWords(id)}`
  }
  if (!isJson(given) || !isJsonObject(given)) return 'extracted_params is no object'
  const params = intent === null ? textsIn(given) : paramsOf(given, intent)
  return make({ intent, params, confidence, text })
}

const textsIn = (given: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(given).flatMap(([name, value]) => {
      const text = textOf(value)
      return text === null ? [] : [[name, text] as const]
    }),
  )

function paramsOf(given: JsonObject, intent: Intent): JsonObject {
  const names = [...intent.requiredParams, ...intent.optionalParams]
  return Object.fromEntries(
    Object.entries(given).flatMap(([name, value]): (readonly [string, string])[] => {
      const text = textOf(value)
      return text === null || !names.includes(name) ? [] : [[name, text]]
    }),
  )
}

/** A model without a schema may return a number as one. */
function textOf(value: Json): string | null {
  const text = typeof value === 'number' ? String(value) : value
  if (typeof text !== 'string') return null
  const trimmed = text.trim()
  return trimmed === '' || trimmed.length > LONGEST_VALUE ? null : trimmed
}

function parsed(content: string): unknown {
  if (content.length > MOST_FORM_CHARACTERS) return undefined
  try {
    return JSON.parse(unfenced(content))
  } catch {
    return undefined
  }
}

/**
 * Some models put JSON into a Markdown fence, whatever they are told. Not a regular expression: one with three
 * runs of white space takes cubic time.
 */
function unfenced(content: string): string {
  const lines = content.trim().split('\n')
  const opening = lines[0]?.trimEnd()
  const isFenced = opening === '```' || opening === '```json'
  return isFenced && lines.length > 1 && lines.at(-1)?.trim() === '```'
    ? lines.slice(1, -1).join('\n')
    : content
}

const inWords = (value: unknown): string =>
  value === undefined ? 'absent' : JSON.stringify(value).slice(0, 60)
