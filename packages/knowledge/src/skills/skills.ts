import { defineMiddleware } from 'echelon/internal/extension'
import { guardedSchema } from 'echelon/internal/schema'
import { isRecord } from 'echelon/internal/value'
import type { Layer } from 'echelon'
import type { PermitRequest, Verdict } from 'echelon/middleware'
import type { ToolOutcome } from 'echelon/internal/tool'
import { checkLimit } from './check-limit.ts'
import type { SkillScripts } from './scripts.ts'
import { skillSet, type SkillSet } from './skill-set.ts'
import { OPEN, READ, RUN, skillNamed } from './skill-tools.ts'
import { nameProblem, type Skill } from './skill.ts'
import { listing, untold } from './told-skills.ts'

export interface SkillsOptions {
  /** How scripts are run, each time after somebody approved it. Default: they are not run. */
  readonly scripts?: SkillScripts
  /**
   * Whether an open skill's `allowed-tools` may spare a question that a tool asks of its own accord:
   * to be set only for skills that you wrote. Scripts ask all the same. Default false.
   */
  readonly trustAllowedTools?: boolean
  /** The most that is read of a skill's file, in bytes; default 65,536. */
  readonly maxFileBytes?: number
}

/** What is open in this conversation, by name. */
export interface SkillsState {
  readonly open: readonly string[]
}

/** So many at the same time: names of all of them fit into a state. */
const MOST_OPEN = 32

/**
 * Skills: the model sees their names and descriptions, opens one when a task calls for it, and from
 * then on has its instructions and its tools, until the conversation ends. What is open is a state of
 * the conversation: it is there again after a crash and in a restored session.
 *
 * A skill is never permitted anything by being opened: a tool of one that acts asks before each call,
 * and rules of the agent hold as for any tool. Scripts ask each time, whatever a rule allows.
 * @throws EchelonError INVALID_DEFINITION for names that clash, INVALID_CONFIG for `maxFileBytes`
 */
export function skills(
  given: readonly Skill[],
  options: SkillsOptions = {},
): Layer<'skills', SkillsState> {
  const { scripts, trustAllowedTools = false, maxFileBytes = 65_536 } = options
  checkLimit('maxFileBytes', maxFileBytes)
  const set = skillSet(given, scripts, maxFileBytes)
  const head = listing(given)
  return defineMiddleware({
    name: 'skills',
    namespace: 'echelon',
    state: { scope: 'session', version: 1, schema: SCHEMA, initial: INITIAL },
    tools: set.tools,
    async prompt(prompt, next, { state }) {
      const instructions = await untold(openOf(set, state), prompt.thread)
      if (given.length === 0) return next(prompt)
      return next({ ...prompt, head: [head, ...instructions, ...prompt.head] })
    },
    async permit(request, next, { state }) {
      const reason = refusal(set, state, request)
      if (reason !== undefined) return { type: 'deny', reason }
      const verdict = await next(request)
      if (request.type !== 'call' || verdict.type === 'deny') return verdict
      // Whatever allows it, here or further in: the question is of this layer's own.
      if (request.call.tool === RUN) return EACH_TIME
      if (verdict.type !== 'ask') return verdict
      const isSpared = trustAllowedTools && verdict.by === 'tool'
      return isSpared && isTrusted(set, state, request.call.tool) ? ALLOW : verdict
    },
    async tool(call, next, { state, update, emit }) {
      const name = call.tool === OPEN ? named(call.input) : undefined
      if (name === undefined || isOpen(set, state, name)) return next(call)
      const isThere = (one: string): boolean => set.skills.has(one)
      if (state.open.filter(isThere).length >= MOST_OPEN) return TOO_MANY
      const outcome = await next(call)
      if (outcome.type !== 'ok') return outcome
      // Names of skills that are gone make room.
      update(({ open }) => {
        const others = open.filter((one) => one !== name)
        return { open: [...(others.length < MOST_OPEN ? others : others.filter(isThere)), name] }
      })
      emit('opened', { skill: name })
      return outcome
    },
  })()
}

const INITIAL: SkillsState = { open: [] }

const ALLOW: Verdict = { type: 'allow' }

/** An answer for good would hold for every script of every skill. */
const EACH_TIME: Verdict = {
  type: 'ask',
  why: 'scripts of skills run only when they are approved, each time',
  eachTime: true,
}

const TOO_MANY: ToolOutcome = {
  type: 'error',
  code: 'TOOL_ERROR',
  message: `${MOST_OPEN} skills are open, which is the most; go on with those`,
}

const SCHEMA = guardedSchema<SkillsState>(
  {
    type: 'object',
    properties: { open: { type: 'array', items: { type: 'string' }, maxItems: MOST_OPEN } },
    required: ['open'],
  },
  (value): value is SkillsState => isRecord(value) && isOpenList(value['open']),
)

const isOpenList = (open: unknown): boolean =>
  Array.isArray(open) &&
  open.length <= MOST_OPEN &&
  open.every((name) => nameProblem(name) === undefined)

const named = (input: unknown): string | undefined =>
  isRecord(input) && typeof input['name'] === 'string' ? input['name'] : undefined

const isOpen = ({ skills: all }: SkillSet, { open }: SkillsState, name: string): boolean =>
  all.has(name) && (open.includes(name) || all.get(name)?.autoOpen === true)

/** One that was open and is no longer there is passed over. */
const openOf = ({ skills: all, always }: SkillSet, { open }: SkillsState): readonly Skill[] => [
  ...always,
  ...open.flatMap((name) => all.get(name) ?? []).filter(({ autoOpen }) => !autoOpen),
]

/** Why a tool of a skill is not to be had yet; nothing for all that is none. */
function refusal(set: SkillSet, state: SkillsState, request: PermitRequest): string | undefined {
  if (request.type === 'turn') return undefined
  const tool = request.type === 'offer' ? request.tool : request.call.tool
  const owners = set.owners.get(tool)
  if (owners === undefined) return undefined
  if (!owners.some((name) => isOpen(set, state, name))) {
    return `${tool} is there while one of these skills is open: ${owners.join(', ')}; open it with ${OPEN}`
  }
  if (request.type === 'offer' || (tool !== READ && tool !== RUN)) return undefined
  const name = skillNamed(request.call.input)
  if (name === undefined || !set.skills.has(name) || isOpen(set, state, name)) return undefined
  return `the skill ${name} is not open; open it with ${OPEN}`
}

const isTrusted = (set: SkillSet, state: SkillsState, tool: string): boolean =>
  openOf(set, state).some(({ allowedTools }) => allowedTools.includes(tool))
