import { defineMiddleware } from '../core/extension/define-middleware.ts'
import { guardedSchema } from '../core/schema/guarded-schema.ts'
import { isRecord, type Json } from '../core/value/json.ts'
import type { Middleware } from '../core/extension/defined-middleware.ts'
import type { MiddlewareRun } from '../core/extension/middleware.ts'
import type { PermitRequest, Verdict } from '../core/agent/permission.ts'
import { isTable, rowOf, type Table, withRow } from './reliability/bounded-table.ts'
import { type Known, knownOptions, oneOf } from './option-check.ts'

/** A tool call, as a rule sees it. */
export interface CallInQuestion {
  readonly tool: string
  readonly input: Json
  readonly caller: string | undefined
  readonly session: string | undefined
}

/** A rule for some tool calls. The first rule that matches decides. */
export interface PermissionRule {
  /** The name in metrics and records. Default `rule-1` for the first, and so on. */
  readonly name?: string
  /** Names of tools; one may end in `*`. Default: every tool. */
  readonly tools?: string | readonly string[]
  /** Only for these callers. Default: for all. */
  readonly callers?: readonly string[]
  /** Only for calls for which this returns true. Default: for all. */
  readonly when?: (call: CallInQuestion) => boolean
  readonly verdict: 'allow' | 'ask' | 'deny'
  /** Shown to the model when the call is denied, and to the user when they are asked. */
  readonly reason?: string
}

export interface PermissionOptions {
  readonly rules?: readonly PermissionRule[]
  /** Returns why this caller may not use this agent at all, or `undefined` when they may. */
  readonly turn?: (who: Pick<CallInQuestion, 'caller' | 'session'>) => string | undefined
}

/** The permanent answers of the user in this conversation, by tool. */
export interface PermissionState {
  readonly answers: Table<'always' | 'never'>
}

/**
 * Decides which tool calls are allowed. The first rule that matches decides: `deny` overrides any
 * answer of the user; a user's `never` overrides all other rules; `ask` asks unless they answered
 * `always`. If no rule matches, a tool that needs approval asks and any other is allowed. A rule cannot
 * allow what inner middleware denies, nor skip a question that inner middleware asks. A tool that is
 * always denied is not offered to the model. Answers are remembered for the conversation, for thirty
 * tools; beyond that the oldest `always` is dropped. A `never` stays, up to fifty.
 * @throws EchelonError INVALID_CONFIG for an unknown option or an unknown field of a rule
 */
export function permissions(
  options: PermissionOptions = {},
): Middleware<'permissions', PermissionState> {
  knownOptions('permissions', options, OPTIONS)
  const { rules = [], turn } = options
  rules.forEach(checkRule)
  return defineMiddleware({
    name: 'permissions',
    namespace: 'echelon',
    state: { scope: 'session', version: 1, schema: SCHEMA, initial: INITIAL },
    async permit(request, next, { run, state, update }) {
      const forbidden = request.type === 'turn' ? turn?.(run) : undefined
      if (forbidden !== undefined) return { type: 'deny', reason: forbidden }
      if (request.type === 'turn') return next(request)
      const tool = request.type === 'offer' ? request.tool : request.call.tool
      const place = rules.findIndex((one) => fits(one, tool, request, run))
      const rule = rules[place]
      const named = { rule: rule?.name ?? `rule-${place + 1}` }
      if (rule?.verdict === 'deny') {
        return { ...denied(rule.reason ?? `${tool} is not allowed here`), ...named }
      }
      const answer = rowOf(state.answers, tool)
      if (answer === 'never') return denied(`the user has ruled ${tool} out`)
      const verdict = ruled(await next(request), tool, rule && { ...rule, name: named.rule })
      if (verdict.type !== 'ask' || verdict.eachTime === true) return verdict
      if (answer === 'always') return ALLOW
      const remember = (choice: 'always' | 'never'): void =>
        update(({ answers }) => ({ answers: withRow(answers, tool, choice, isNever) }))
      return { ...verdict, remember }
    },
  })()
}

const OPTIONS: Known<PermissionOptions> = { rules: true, turn: true }

const RULE: Known<PermissionRule> = {
  name: true,
  tools: true,
  callers: true,
  when: true,
  verdict: true,
  reason: true,
}

/** A misspelled rule must not let through a call that it was meant to forbid. */
function checkRule(rule: PermissionRule): void {
  knownOptions('permissions: rules', rule, RULE)
  oneOf('permissions: rules', 'verdict', rule.verdict, ['allow', 'ask', 'deny'])
}

const INITIAL: PermissionState = { answers: {} }

const SCHEMA = guardedSchema<PermissionState>(
  {
    type: 'object',
    properties: {
      answers: {
        type: 'object',
        additionalProperties: { type: 'string', enum: ['always', 'never'] },
      },
    },
    required: ['answers'],
  },
  (value): value is PermissionState =>
    isRecord(value) && isTable(value['answers'], (row) => row === 'always' || row === 'never'),
)

const ALLOW: Verdict = { type: 'allow' }

const denied = (reason: string): Verdict => ({ type: 'deny', reason })

const isNever = (answer: 'always' | 'never'): boolean => answer === 'never'

/**
 * Applies a rule to the inner verdict. A rule can relax the tool's own approval, but no verdict of
 * inner middleware.
 */
function ruled(verdict: Verdict, tool: string, rule: PermissionRule | undefined): Verdict {
  if (rule === undefined || verdict.type === 'deny') return verdict
  if (rule.verdict === 'ask') {
    // A rule that asks must not turn a question asked each time into one with a permanent answer.
    const isEachTime = verdict.type === 'ask' && verdict.eachTime === true
    return { ...asked(tool, rule), ...(isEachTime && { eachTime: true }) }
  }
  return verdict.type === 'ask' && verdict.by === 'tool' ? ALLOW : verdict
}

const asked = (
  tool: string,
  { reason, name }: PermissionRule,
): Extract<Verdict, { readonly type: 'ask' }> => ({
  type: 'ask',
  why: reason ?? `a rule wants ${tool} to be approved`,
  ...(name === undefined ? {} : { rule: name }),
})

/** Whether a rule matches. An offer has no call yet, so a rule with `when` cannot match it. */
function fits(
  { tools, callers, when }: PermissionRule,
  tool: string,
  request: Exclude<PermitRequest, { type: 'turn' }>,
  { caller, session }: MiddlewareRun,
): boolean {
  if (callers !== undefined && (caller === undefined || !callers.includes(caller))) return false
  if (tools !== undefined && ![tools].flat().some((name) => isNamed(name, tool))) return false
  if (when === undefined) return true
  if (request.type === 'offer') return false
  return when({ tool, input: request.call.input, caller, session })
}

const isNamed = (name: string, tool: string): boolean =>
  name.endsWith('*') ? tool.startsWith(name.slice(0, -1)) : name === tool
