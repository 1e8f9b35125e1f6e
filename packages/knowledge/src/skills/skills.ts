import { defineMiddleware } from 'echelon/internal/extension'
import { guardedSchema } from 'echelon/internal/schema'
import { isRecord } from 'echelon/internal/value'
import type { Middleware } from 'echelon'
import type { PermitRequest, Verdict } from 'echelon/middleware'
import type { ToolOutcome } from 'echelon/internal/tool'
import { checkLimit } from 'echelon/internal/platform'
import type { SkillScripts } from './scripts.ts'
import { skillSet, type SkillSet } from './skill-set.ts'
import { OPEN, READ, RUN, skillNamed } from './skill-tools.ts'
import { nameProblem, type Skill } from './skill.ts'
import { listing, missingInstructions } from './skill-messages.ts'

export interface SkillsOptions {
  /** Runs scripts, each time after approval. Default: scripts are not run. */
  readonly scripts?: SkillScripts
  /**
   * Whether an open skill's `allowed-tools` may skip the approval that a tool requests by default. Set
   * it only for skills you wrote. Scripts always ask. Default false.
   */
  readonly trustAllowedTools?: boolean
  /** Maximum bytes read from a skill's file; default 65,536. */
  readonly maxFileBytes?: number
}

/** The skills open in this conversation, by name. */
export interface SkillsState {
  readonly open: readonly string[]
}

/** Limit on open skills; their names must fit into a state. */
const MAX_OPEN = 32

/**
 * Skills: the model sees their names and descriptions, opens one when a task calls for it, and has its
 * instructions and tools from then on until the conversation ends. The list of open skills is state of
 * the conversation: it survives a crash and a restored session.
 *
 * Opening a skill grants no permission: its acting tools ask before each call, and the agent's rules
 * apply as to any tool. Scripts ask every time, whatever a rule allows.
 * @throws EchelonError INVALID_DEFINITION for names that clash, INVALID_CONFIG for `maxFileBytes`
 */
export function skills(
  list: readonly Skill[],
  options: SkillsOptions = {},
): Middleware<'skills', SkillsState> {
  const { scripts, trustAllowedTools = false, maxFileBytes = 65_536 } = options
  checkLimit('maxFileBytes', maxFileBytes)
  const set = skillSet(list, scripts, maxFileBytes)
  const head = listing(list)
  return defineMiddleware({
    name: 'skills',
    namespace: 'echelon',
    state: { scope: 'session', version: 1, schema: SCHEMA, initial: INITIAL },
    tools: set.tools,
    async prompt(prompt, next, { state }) {
      const instructions = await missingInstructions(openOf(set, state), prompt.thread)
      if (list.length === 0) return next(prompt)
      return next({ ...prompt, head: [head, ...instructions, ...prompt.head] })
    },
    async permit(request, next, { state }) {
      const reason = refusal(set, state, request)
      if (reason !== undefined) return { type: 'deny', reason }
      const verdict = await next(request)
      if (request.type !== 'call' || verdict.type === 'deny') return verdict
      // Ask whatever other rules allow: this layer decides for itself.
      if (request.call.tool === RUN) return EACH_TIME
      if (verdict.type !== 'ask') return verdict
      const maySkip = trustAllowedTools && verdict.by === 'tool'
      return maySkip && isTrusted(set, state, request.call.tool) ? ALLOW : verdict
    },
    async tool(call, next, { state, update, emit }) {
      const name = call.tool === OPEN ? nameIn(call.input) : undefined
      if (name === undefined || isOpen(set, state, name)) return next(call)
      const exists = (one: string): boolean => set.skills.has(one)
      if (state.open.filter(exists).length >= MAX_OPEN) return TOO_MANY
      const outcome = await next(call)
      if (outcome.type !== 'ok') return outcome
      // Drop skills that no longer exist, to make room.
      update(({ open }) => {
        const others = open.filter((one) => one !== name)
        return { open: [...(others.length < MAX_OPEN ? others : others.filter(exists)), name] }
      })
      emit('opened', { skill: name })
      return outcome
    },
  })()
}

const INITIAL: SkillsState = { open: [] }

const ALLOW: Verdict = { type: 'allow' }

/** A permanent approval would cover every script of every skill. */
const EACH_TIME: Verdict = {
  type: 'ask',
  why: 'scripts of skills need approval every time',
  eachTime: true,
}

const TOO_MANY: ToolOutcome = {
  type: 'error',
  code: 'TOOL_ERROR',
  message: `${MAX_OPEN} skills are open, the maximum; use those`,
}

const SCHEMA = guardedSchema<SkillsState>(
  {
    type: 'object',
    properties: { open: { type: 'array', items: { type: 'string' }, maxItems: MAX_OPEN } },
    required: ['open'],
  },
  (value): value is SkillsState => isRecord(value) && isOpenList(value['open']),
)

const isOpenList = (open: unknown): boolean =>
  Array.isArray(open) &&
  open.length <= MAX_OPEN &&
  open.every((name) => nameProblem(name) === undefined)

const nameIn = (input: unknown): string | undefined =>
  isRecord(input) && typeof input['name'] === 'string' ? input['name'] : undefined

const isOpen = ({ skills: all }: SkillSet, { open }: SkillsState, name: string): boolean =>
  all.has(name) && (open.includes(name) || all.get(name)?.autoOpen === true)

/** Skips a skill that was open and no longer exists. */
const openOf = ({ skills: all, always }: SkillSet, { open }: SkillsState): readonly Skill[] => [
  ...always,
  ...open.flatMap((name) => all.get(name) ?? []).filter(({ autoOpen }) => !autoOpen),
]

/** Why a skill's tool is not available yet; undefined for tools that belong to no skill. */
function refusal(set: SkillSet, state: SkillsState, request: PermitRequest): string | undefined {
  if (request.type === 'turn') return undefined
  const tool = request.type === 'offer' ? request.tool : request.call.tool
  const owners = set.owners.get(tool)
  if (owners === undefined) return undefined
  if (!owners.some((name) => isOpen(set, state, name))) {
    return `${tool} is available while one of these skills is open: ${owners.join(', ')}; open it with ${OPEN}`
  }
  if (request.type === 'offer' || (tool !== READ && tool !== RUN)) return undefined
  const name = skillNamed(request.call.input)
  if (name === undefined || !set.skills.has(name) || isOpen(set, state, name)) return undefined
  return `the skill ${name} is not open; open it with ${OPEN}`
}

const isTrusted = (set: SkillSet, state: SkillsState, tool: string): boolean =>
  openOf(set, state).some(({ allowedTools }) => allowedTools.includes(tool))
