import { isJson, isJsonObject, type Json } from 'echelon/runtime'
import { clean, cleanLines } from '../../terminal/clean.ts'
import { describeCall, wholeCall } from '../describe-tool.ts'
import { FORM_HINT, formOf } from '../form.ts'
import { inOwnWords } from '../own-words.ts'

/** What a run asks, as a person is shown it, and how what they type is read. */
export interface Question {
  readonly text: string
  /** What can be typed. */
  readonly prompt: string
  /** The reply; nothing when what was typed is none. */
  read(typed: string): Json | undefined
  /** What is said to something typed that is no reply. */
  readonly otherwise: string
  /** What a reply means from now on; nothing when it holds this once. */
  meaning(reply: Json): string | undefined
  /** What stands for no answer at all: nothing cancels the turn. */
  readonly without: Json | undefined
  /** The tool that waits to be approved, if that is what is asked. */
  readonly tool: string | undefined
  /** Whether an answer may hold from now on: for some tools each call is asked about. */
  readonly mayHold: boolean
  /** Of a form: what is asked one after the other, by the name of its field. */
  readonly form?: ReadonlyMap<string, Question>
}

/** More of an input is counted: it was made by a model. */
const MOST_SHOWN = 4000

/**
 * Reads what a run asks.
 * @param allOfIt the command that shows it in full: what is long is folded where there is one
 */
export function questionOf(about: Json, allOfIt?: string): Question {
  const fields = isJsonObject(about) ? about : {}
  return fields['type'] === 'approval' ? approval(fields, allOfIt) : plainQuestion(fields)
}

function approval(fields: Readonly<Record<string, Json>>, allOfIt?: string): Question {
  const tool = textOf(fields['tool'])
  const why = textOf(fields['why'])
  const { choices } = fields
  const mayHold = !Array.isArray(choices) || choices.includes('always')
  return {
    text: `May this run? ${callToApprove({ tool, input: fields['input'] ?? null }, allOfIt)}\n  ${clean(why)}`,
    prompt: mayHold ? '[o]nce / [a]lways / [n]o / ne[v]er? ' : '[o]nce / [n]o? ',
    read: mayHold ? readApproval : readForThisCall,
    otherwise: mayHold
      ? 'that is none of these; type o, a, n or v (always and never hold in this conversation)'
      : 'that is neither; type o or n (it is asked each time)',
    meaning(reply) {
      if (!mayHold) return undefined
      if (reply === 'always') return `${clean(tool)} runs unasked in this conversation from now on`
      if (reply === 'never') return `${clean(tool)} is ruled out in this conversation from now on`
      return undefined
    },
    without: 'deny',
    tool: clean(tool),
    mayHold,
  }
}

/**
 * Nothing is approved that could not be read: it is folded only where it is said how all of it is
 * shown, and else cut where nobody would read on.
 */
export function callToApprove(call: Parameters<typeof wholeCall>[0], allOfIt?: string): string {
  const all = wholeCall(call)
  const folded = allOfIt === undefined ? all : describeCall(call)
  const shown = atMost(folded)
  return allOfIt === undefined || shown === all ? shown : `${shown}\n  all of it: ${allOfIt}`
}

function atMost(text: string): string {
  const more = text.length - MOST_SHOWN
  return more > 0 ? `${text.slice(0, MOST_SHOWN)}… and ${more} more characters` : text
}

const APPROVALS: Readonly<Record<string, string>> = {
  o: 'once',
  y: 'once',
  yes: 'once',
  once: 'once',
  a: 'always',
  always: 'always',
  n: 'deny',
  no: 'deny',
  deny: 'deny',
  v: 'never',
  never: 'never',
}

function readApproval(typed: string): string | undefined {
  const word = typed.trim().toLowerCase()
  return Object.hasOwn(APPROVALS, word) ? APPROVALS[word] : undefined
}

/** Where each call is asked about nothing holds for longer. */
function readForThisCall(typed: string): string | undefined {
  const choice = readApproval(typed)
  return choice === 'always' ? undefined : choice
}

/** The same answer wherever a tool asks, as far as it is one to this question. */
export const standing = (approve: 'always' | 'never', { mayHold }: Question): string =>
  approve === 'always' && !mayHold ? 'once' : approve

function plainQuestion({ question, schema }: Readonly<Record<string, Json>>): Question {
  const text = cleanLines(inOwnWords(textOf(question)))
  const type = isJsonObject(schema) ? schema['type'] : undefined
  if (type === 'boolean') {
    return {
      text,
      prompt: 'yes or no? ',
      read: readYesOrNo,
      otherwise: 'that is neither; type y or n',
      meaning: holdsOnce,
      without: false,
      tool: undefined,
      mayHold: false,
    }
  }
  const form = isJsonObject(schema) ? formOf(schema) : undefined
  if (form !== undefined) return { ...JSON_QUESTION, text: `${text}\n  ${FORM_HINT}`, form }
  const isText = type === 'string' || !isJsonObject(schema)
  return {
    text,
    prompt: isText ? 'answer: ' : 'answer (JSON): ',
    read: isText ? readText : readJson,
    otherwise: isText
      ? 'nothing was typed; Ctrl-C leaves the question'
      : 'that is no JSON; Ctrl-C leaves the question',
    meaning: holdsOnce,
    without: undefined,
    tool: undefined,
    mayHold: false,
  }
}

const JSON_QUESTION: Omit<Question, 'text'> = {
  prompt: 'answer (JSON): ',
  read: readJson,
  otherwise: 'that is no JSON; Ctrl-C leaves the question',
  meaning: () => undefined,
  without: undefined,
  tool: undefined,
  mayHold: false,
}

const holdsOnce = (): undefined => undefined

function readYesOrNo(typed: string): boolean | undefined {
  const word = typed.trim().toLowerCase()
  if (word === 'y' || word === 'yes') return true
  return word === 'n' || word === 'no' ? false : undefined
}

const readText = (typed: string): string | undefined => (typed.trim() === '' ? undefined : typed)

function readJson(typed: string): Json | undefined {
  try {
    const value: unknown = JSON.parse(typed)
    return isJson(value) ? value : undefined
  } catch {
    return undefined
  }
}

const textOf = (value: Json | undefined): string =>
  typeof value === 'string' ? value : JSON.stringify(value ?? '')
