import { isJson, isJsonObject, type Json, type JsonObject } from 'echelon/runtime'
import type { Message, Order } from '@echelon/support'
import { describeCall } from '../conversation/describe-tool.ts'
import { clean, cut } from '../terminal/clean.ts'
import { type DeskTurn, stageOf } from './desk.ts'

/** Fits a terminal of 80 columns. */
const COLUMNS = 79

/** Describes a plan with the state of each step. */
export function describePlan(execution: Json): string {
  const { intentId, planId, steps = [], currentIndex } = objectIn(execution)
  const all = Array.isArray(steps) ? steps.map(objectIn) : []
  const head = `plan ${textIn(planId)} of ${textIn(intentId)}, ${textIn(currentIndex)} of ${all.length} steps behind it`
  const lines = all.map(({ step, status, error }) => {
    const name = textIn(status)
    const why = error === undefined ? '' : `: ${textIn(error)}`
    return `${MARKS.get(name) ?? '?'} ${name.padEnd(12)} ${stepIn(objectIn(step))}${why}`
  })
  return [head, ...lines].join('\n')
}

const MARKS: ReadonlyMap<string, string> = new Map([
  ['pending', '·'],
  ['in_progress', '▸'],
  ['completed', '✓'],
  ['failed', '✗'],
  ['blocked', '■'],
  ['waiting_user', '?'],
  ['canceled', '–'],
])

function stepIn({ toolName, params, param, prompt, when, message }: JsonObject): string {
  if (toolName !== undefined) {
    return describeCall({ tool: textIn(toolName), input: params ?? null })
  }
  if (param !== undefined) return `ask for ${textIn(param)}: ${textIn(prompt)}`
  return when === 'post' ? 'answer with the result' : `say: ${textIn(message)}`
}

/** Explains how a turn was understood, and which rules allowed or denied it. */
export function describeWhy({ stages }: Pick<DeskTurn, 'stages'>): string {
  const read = stageOf(stages, 'intent_classified')
  const lines = [
    ...(read === undefined ? [] : readingLines(read)),
    // Each request of a message has stages of its own.
    ...stages.flatMap(({ stage, payload }) => STAGE_LINES.get(stage)?.(payload) ?? []),
  ]
  return lines.map(([name, told]) => `${name.padEnd(8)} ${told}`).join('\n')
}

function checkLines(told: JsonObject): readonly Line[] {
  const violations = listIn(told['violations'])
  const verdict = told['allowed'] === true ? 'allowed' : 'not allowed'
  const why = violations.length === 0 ? '' : `: ${violations.join('; ')}`
  return [
    ['rules', listIn(told['rules']).join(', ') || 'none'],
    ['', `${verdict}${escalation(told)}${why}`],
  ]
}

function toolLines(told: JsonObject): readonly Line[] {
  const end = told['success'] === true ? 'done' : `failed (${textIn(told['error_code'])})`
  return [['tool', `${textIn(told['tool_name'])}: ${end} in ${textIn(told['time_ms'])} ms`]]
}

function answerLines(told: JsonObject): readonly Line[] {
  const by = told['worded_by'] === 'model' ? 'the model' : 'a template'
  return [['answer', `${textIn(told['outcome'])}, worded by ${by}`]]
}

const STAGE_LINES: ReadonlyMap<string, (told: JsonObject) => readonly Line[]> = new Map([
  ['policy_check', checkLines],
  ['tool_execute', toolLines],
  ['response_generated', answerLines],
])

function escalation({ requires_escalation, approved_by }: JsonObject): string {
  if (requires_escalation !== true) return ''
  return approved_by === undefined
    ? ', a person has to approve'
    : ` without a person, and ${textIn(approved_by)} approved`
}

type Line = readonly [name: string, told: string]

function readingLines(read: JsonObject): readonly Line[] {
  const { intent_id, confidence, rung, act, reasoning, params, missing_params, further_intents } =
    read
  const missing = listIn(missing_params)
  const further = listIn(further_intents)
  return [
    ['intent', `${intent_id === null ? 'none' : textIn(intent_id)} (${textIn(act)})`],
    ...(further.length === 0 ? [] : [['then', further.join(', ')] as const]),
    ['sure to', `${percent(confidence)}, read by ${RUNGS.get(textIn(rung)) ?? textIn(rung)}`],
    ['since', textIn(reasoning)],
    ['said', fields(objectIn(params)) || 'no parameter'],
    ...(missing.length === 0 ? [] : [['missing', missing.join(', ')] as const]),
  ]
}

const RUNGS: ReadonlyMap<string, string> = new Map([
  ['embedded', 'the embedded classifier'],
  ['small', 'the small model'],
  ['big', 'the big model'],
])

/** Lists the messages, oldest first, without those that hold no text. */
export const describeHistory = (history: readonly Message[]): string =>
  history
    .filter(({ text }) => text !== '')
    .map(({ role, text }) => `${role === 'user' ? 'you  ' : 'agent'} ${clean(text)}`)
    .join('\n') || 'nothing was said yet'

/** Shows orders as a table. */
export function describeOrders(orders: readonly Order[]): string {
  const width = Math.max(...orders.map(({ status }) => textIn(status).length))
  return orders
    .map(({ order_id, status, amount, items }) => {
      const price = typeof amount === 'number' ? `$${amount.toFixed(2)}` : textIn(amount)
      const line = `${textIn(order_id)}  ${textIn(status).padEnd(width)}  ${price.padStart(8)}  ${listIn(items).join(', ')}`
      return cut(line, COLUMNS)
    })
    .join('\n')
}

const objectIn = (value: Json | undefined): JsonObject =>
  value !== undefined && isJson(value) && isJsonObject(value) ? value : {}

const textIn = (value: Json | undefined): string =>
  clean(typeof value === 'string' ? value : JSON.stringify(value ?? null))

const listIn = (value: Json | undefined): readonly string[] =>
  Array.isArray(value) ? value.map(textIn) : []

const fields = (params: JsonObject): string =>
  Object.entries(params)
    .map(([name, value]) => `${clean(name)} ${textIn(value)}`)
    .join(', ')

const percent = (confidence: Json | undefined): string =>
  typeof confidence === 'number' ? `${Math.floor(confidence * 1000) / 10} %` : textIn(confidence)
