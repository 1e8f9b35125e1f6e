import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { YES } from './kit.ts'
import { IntentsRegistry } from '../../packages/support/src/intents-registry.ts'
import type { Intent } from '../../packages/support/src/intent.ts'
import { supportAgent } from '../../packages/support/src/turn/support-definition.ts'
import type { SupportInput } from '../../packages/support/src/turn/support-input.ts'
import type { SupportState } from '../../packages/support/src/turn/support-state.ts'
import { SOUND } from '../../packages/echelon/src/testing/explore/finding.ts'
import { exploreSupport } from './explore.ts'
import { STANDINGS } from './standings.ts'
import type { SupportAgent } from './witness.ts'
import { INTENTS, OFFLINE, saying } from './world.ts'

/** The real agent with one fault, the place where it must show, and the rule that must detect it. */
interface Mutant {
  readonly fault: string
  readonly input: SupportInput
  readonly standing: keyof typeof STANDINGS
  readonly mutate: (agent: SupportAgent) => SupportAgent
  readonly caught: readonly string[]
}

type Learn = SupportAgent['observe']

const ALLOWED = { type: 'allow', details: YES } as const

const learning =
  (alter: (learn: Learn) => Learn) =>
  (agent: SupportAgent): SupportAgent => ({
    ...agent,
    observe: alter((...learned) => agent.observe(...learned)),
  })

/** The state as a fault leaves it, at each step. */
const leaving = (alter: (state: SupportState) => SupportState): Mutant['mutate'] =>
  learning((learn) => (...learned) => {
    const moved = learn(...learned)
    return { ...moved, state: alter(moved.state) }
  })

/** Continues from a phase as if its effect had already completed. */
const skipping = (phase: SupportState['phase'], as: Parameters<Learn>[1]): Mutant['mutate'] =>
  learning((learn) => (state, seen, meter) => {
    const moved = learn(state, seen, meter)
    if (moved.state.phase !== phase) return moved
    const next = learn(moved.state, as, meter)
    return { state: next.state, notes: [...(moved.notes ?? []), ...(next.notes ?? [])] }
  })

/** Treats every decision of the rules as a yes. */
const heedless = learning(
  (learn) => (state, seen, meter) =>
    seen.type === 'permitted'
      ? learn(state, { ...seen, verdict: ALLOWED }, meter)
      : learn(state, seen, meter),
)

/** Uses intents that say less than those it is checked against. */
const withIntents = (over: Partial<Intent>): Mutant['mutate'] => {
  const intents = INTENTS.map((intent) => ({ ...intent, ...over }))
  const registry = new IntentsRegistry({ intents, tiers: [], redactedParams: [] })
  return () => supportAgent({ ...OFFLINE, registry })
}

const MUTANTS: readonly Mutant[] = [
  {
    fault: 'one that does not write down first what the customer said',
    input: saying('status O-11111'),
    standing: 'nothing was said',
    mutate: skipping('noting', { type: 'remembered', version: 1 }),
    caught: ['the customer’s message is on record before anything is done'],
  },
  {
    fault: 'one that speaks although the rules said no',
    input: saying('status O-11111'),
    standing: 'nothing was said',
    mutate: heedless,
    caught: ['nothing is said before the rules allowed it'],
  },
  {
    fault: 'one that acts although the rules said no',
    input: saying('status O-11111'),
    standing: 'nothing was said',
    mutate: (agent) => skipping('announcing', { type: 'said' })(heedless(agent)),
    caught: ['no tool is called that the rules did not allow for this very call'],
  },
  {
    fault: 'one that never asks the rules',
    input: saying('status O-11111'),
    standing: 'nothing was said',
    mutate: skipping('checking', { type: 'permitted', verdict: ALLOWED }),
    caught: ['nothing is said before the rules allowed it'],
  },
  {
    fault: 'one that calls with other parameters than were checked',
    input: saying('status O-11111'),
    standing: 'nothing was said',
    mutate: (agent) => ({
      ...agent,
      next(state) {
        const asked = agent.next(state)
        if (asked.type !== 'call-tools') return asked
        const calls = asked.calls.map((call) => ({ ...call, input: { order_id: 'O-22222' } }))
        return { ...asked, calls }
      },
    }),
    caught: ['no tool is called that the rules did not allow for this very call'],
  },
  {
    fault: 'one that refunds without asking',
    input: saying('refund O-11111'),
    standing: 'nothing was said',
    mutate: withIntents({ confirm: false }),
    caught: ['what must be confirmed is called after a yes to that very call'],
  },
  {
    fault: 'one that puts another order into the plan that it asked about',
    input: saying('yes'),
    standing: 'a confirmation is open',
    mutate: leaving((state) => {
      const { task } = state
      if (task === null || state.phase !== 'checking') return state
      const text = JSON.stringify(task).replaceAll('O-11111', 'O-22222')
      return { ...state, task: JSON.parse(text) }
    }),
    caught: ['steps move as they may'],
  },
  {
    fault: 'one that calls without what the tool needs',
    input: saying('status'),
    standing: 'nothing was said',
    mutate: withIntents({ requiredParams: [], optionalParams: ['order_id'] }),
    caught: ['no call lacks what its intent requires'],
  },
  {
    fault: 'one that asks the rules again before it acts, and tells of it',
    input: saying('status O-11111'),
    standing: 'nothing was said',
    mutate: learning((learn) => (state, seen, meter) => {
      const moved = learn(state, seen, meter)
      return seen.type === 'said'
        ? { ...moved, state: { ...moved.state, phase: 'checking' } }
        : moved
    }),
    caught: [
      'a plan is told of to the rules once, and called once',
      'stages come in their order, for each plan',
    ],
  },
  {
    fault: 'one that calls a tool again that failed',
    input: saying('status O-11111'),
    standing: 'nothing was said',
    mutate: learning((learn) => (state, seen, meter) => {
      const isFailure = seen.type === 'tools-called' && seen.outcomes[0]?.type === 'error'
      return isFailure ? { state: { ...state } } : learn(state, seen, meter)
    }),
    caught: ['a plan is told of to the rules once, and called once'],
  },
  {
    fault: 'one that leaves a plan half done',
    input: saying('status O-11111'),
    standing: 'nothing was said',
    mutate: leaving((state) => ({
      ...state,
      executions: state.executions.map((one) => ({
        ...one,
        steps: one.steps.map((step) =>
          step.status === 'canceled' ? { ...step, status: 'pending' } : step,
        ),
      })),
    })),
    caught: ['a plan that is left waits, or is over'],
  },
  {
    fault: 'one that undoes what was done',
    input: saying('status O-11111'),
    standing: 'nothing was said',
    mutate: leaving((state) => {
      const { task } = state
      if (task === null || state.phase !== 'acting') return state
      const steps = task.execution.steps.map((one) => ({ ...one, status: 'pending' as const }))
      return { ...state, task: { ...task, execution: { ...task.execution, steps } } }
    }),
    caught: ['steps move as they may'],
  },
  {
    fault: 'one that tells its stages backwards',
    input: saying('status O-11111'),
    standing: 'nothing was said',
    mutate: learning((learn) => (...learned) => {
      const { state, notes = [] } = learn(...learned)
      return { state, notes: notes.toReversed() }
    }),
    caught: ['stages come in their order, for each plan'],
  },
  {
    fault: 'one that writes over a conversation that it could not read',
    input: saying('status O-11111'),
    standing: 'a plan is blocked',
    mutate: learning((learn) => (state, seen, meter) => {
      const moved = learn(state, seen, meter)
      return state.phase === 'recalling' && seen.type === 'failed'
        ? { ...moved, state: { ...moved.state, phase: 'keeping' } }
        : moved
    }),
    caught: ['a conversation that was not read is not written to'],
  },
  {
    fault: 'one that forgets what waits for a person',
    input: saying('hm'),
    standing: 'a plan is blocked',
    mutate: leaving((state) => ({ ...state, dialogue: { ...state.dialogue, blocked: [] } })),
    caught: ['what waits for a person waits until one decides'],
  },
  {
    fault: 'one that takes a conversation back from a person',
    input: saying('status O-11111'),
    standing: 'a person has it',
    mutate: leaving((state) => ({ ...state, dialogue: { ...state.dialogue, handedOver: null } })),
    caught: ['nobody but a person takes a conversation from a person'],
  },
  {
    fault: 'one that says nothing',
    input: saying('drop'),
    standing: 'a question is open',
    mutate: leaving((state) => ({ ...state, texts: [] })),
    caught: ['somebody is answered'],
  },
  {
    fault: 'one that goes on when it is canceled',
    input: saying('status O-11111'),
    standing: 'nothing was said',
    mutate: learning(
      (learn) => (state, seen, meter) =>
        seen.type === 'canceled' ? { state } : learn(state, seen, meter),
    ),
    caught: [SOUND.canceled],
  },
  {
    fault: 'one that asks its memory again for ever',
    input: saying('status O-11111'),
    standing: 'nothing was said',
    mutate: learning(
      (learn) => (state, seen, meter) =>
        seen.type === 'failed' && state.phase === 'recalling'
          ? { state }
          : learn(state, seen, meter),
    ),
    caught: [SOUND.refused],
  },
]

describe('the exploration', () => {
  for (const { fault, input, standing, mutate, caught } of MUTANTS) {
    test(`[S-11] catches ${fault}`, () => {
      const where = {
        inputs: [input],
        standings: { [standing]: STANDINGS[standing] ?? null },
        purity: false,
      }
      exploreSupport(OFFLINE, where).found.assertSound()
      const agent = mutate(supportAgent(OFFLINE))
      const { findings } = exploreSupport(OFFLINE, { ...where, agent }).found
      assert.deepEqual(
        findings.map(({ rule }) => rule),
        caught,
      )
    })
  }
})
