import { isJson, isJsonObject, type Json } from 'echelon/runtime'
import { clean, cleanLines } from '../terminal/clean.ts'
import { describeCall, wholeCall } from './describe-tool.ts'
import { ASKED_ONCE, FORM_HINT, formOf, readYesOrNo } from './form.ts'
import { inOwnWords } from './own-words.ts'

/** A question of a run, as a person sees it, and how typed text becomes a reply. */
export interface Question {
  readonly text: string
  /** Says what can be typed. */
  readonly prompt: string
  /** @returns the reply; undefined if the text cannot be read as a reply */
  read(typed: string): Json | undefined
  /** Shown if the text is not a valid reply. */
  readonly otherwise: string
  /** The meaning of a reply from now on; undefined if it holds once. */
  meaning(reply: Json): string | undefined
  /** The reply if no one answers; undefined cancels the turn. */
  readonly without: Json | undefined
  /** The tool that needs approval, if the question is one. */
  readonly tool: string | undefined
  /** Whether a reply can hold for later calls too; some tools ask at every call. */
  readonly mayHold: boolean
  /** The fields of a form, which are asked one after the other, by name. */
  readonly form?: ReadonlyMap<string, Question>
}

/** Characters of an input that are shown; the rest, which a model wrote, is counted. */
const MOST_SHOWN = 4000

/**
 * Reads the question of a run.
 * @param allOfIt the command that shows it in full; long values are folded only if there is one
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
      ? 'that is not one of these; type o, a, n or v (always and never hold in this conversation)'
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
 * Describes a call so that a person can read what they approve. It is folded only if a command shows
 * all of it, and cut only after more text than a person would read.
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

/** A tool that asks at every call takes no reply for later calls. */
function readForThisCall(typed: string): string | undefined {
  const choice = readApproval(typed)
  return choice === 'always' ? undefined : choice
}

/** Turns the answer of `--approve` into a reply to this question. */
export const standing = (approve: 'always' | 'never', { mayHold }: Question): string =>
  approve === 'always' && !mayHold ? 'once' : approve

function plainQuestion({ question, schema }: Readonly<Record<string, Json>>): Question {
  const text = cleanLines(inOwnWords(textOf(question)))
  const type = isJsonObject(schema) ? schema['type'] : undefined
  if (type === 'boolean') return { ...YES_OR_NO, text }
  const form = isJsonObject(schema) ? formOf(schema) : undefined
  if (form !== undefined) return { ...JSON_TEXT, text: `${text}\n  ${FORM_HINT}`, form }
  return { ...(type === 'string' || !isJsonObject(schema) ? FREE_TEXT : JSON_TEXT), text }
}

const YES_OR_NO: Omit<Question, 'text'> = {
  ...ASKED_ONCE,
  prompt: 'yes or no? ',
  read: readYesOrNo,
  otherwise: 'that is neither; type y or n',
  without: false,
}

const FREE_TEXT: Omit<Question, 'text'> = {
  ...ASKED_ONCE,
  prompt: 'answer: ',
  read: (typed) => (typed.trim() === '' ? undefined : typed),
  otherwise: 'nothing was typed; Ctrl-C leaves the question',
}

const JSON_TEXT: Omit<Question, 'text'> = {
  ...ASKED_ONCE,
  prompt: 'answer (JSON): ',
  read: readJson,
  otherwise: 'that is not JSON; Ctrl-C leaves the question',
}

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
