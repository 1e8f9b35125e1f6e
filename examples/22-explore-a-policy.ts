// Explores a policy of your own through everything that may happen, before it ever runs.
import assert from 'node:assert/strict'
import { type AgentDefinition, byPhase, type EffectOf, Thread, userMessage } from 'echelon/runtime'
import { explore, type ExploreOptions } from 'echelon/testing'

// A draft is reviewed and rewritten until it passes, at most twice.
const actors = { writer: { roles: ['small'] }, reviewer: { roles: ['big'] } } as const
interface State {
  readonly phase: 'draft' | 'review' | 'done'
  readonly drafts: number
  readonly why: string
}
type Editor = AgentDefinition<string, State, string>

const prompt = Thread.of([userMessage('Write a line about tides.')])
const done = (state: State, why: string) => ({ state: { ...state, phase: 'done', why } as const })

const editor: Editor = {
  name: 'editor',
  version: 1,
  actors,
  start: () => ({ state: { phase: 'draft', drafts: 0, why: '' } }),
  ...byPhase<State, string, EffectOf<typeof actors>>(
    {
      draft: {
        effect: 'generate',
        do: () => ({ type: 'generate', actor: 'writer', role: 'small', messages: prompt }),
        generated: (state) => ({ state: { ...state, phase: 'review', drafts: state.drafts + 1 } }),
      },
      review: {
        effect: 'generate',
        do: () => ({ type: 'generate', actor: 'reviewer', role: 'big', messages: prompt }),
        generated: (state, { text }) => {
          if (text === 'good') return done(state, 'good')
          return state.drafts < 2 ? { state: { ...state, phase: 'draft' } } : done(state, 'tried')
        },
      },
      done: { finish: ({ why }) => ({ type: 'finish', result: why, reason: why }) },
    },
    (state, seen) => done(state, seen.type),
  ),
  load: () => ({ phase: 'draft', drafts: 0, why: '' }),
}

const options: ExploreOptions<string, State, string> = {
  inputs: ['tides'],
  observations: { models: ['good', 'bad'] },
  invariants: { 'there are at most two drafts': ({ after }) => after.drafts <= 2 },
}
const found = explore(editor, options)
found.assertSound()
console.log(found.toString())

// The same with a bug: a refused effect is requested again. The report shows the path.
const observe: Editor['observe'] = (state, seen, meter) =>
  seen.type === 'refused' ? { state } : editor.observe(state, seen, meter)
assert.throws(() => explore({ ...editor, observe }, options).assertSound())
console.log(explore({ ...editor, observe }, options).toString())
