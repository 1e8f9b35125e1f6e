import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Actors } from './agent.ts'
import { overstep } from './capability.ts'
import type { Effect } from './effect.ts'
import { Thread } from '../message/thread.ts'

const actors: Actors = {
  planner: { roles: ['small'], tools: ['calculator'] },
  executor: { tools: ['calculator', 'calendar'] },
  speaker: { roles: ['small'], speaks: true, asks: true },
  keeper: { reads: ['intent'], writes: ['plans'] },
  nobody: {},
}
const messages = Thread.of([])
const call = (tool: string): { id: string; tool: string; input: null } => ({
  id: '1',
  tool,
  input: null,
})

const allowed: readonly Effect[] = [
  { type: 'generate', actor: 'planner', role: 'small', messages },
  {
    type: 'generate',
    actor: 'planner',
    role: 'small',
    messages,
    show: 'nobody',
    tools: ['calculator'],
  },
  { type: 'generate', actor: 'speaker', role: 'small', messages, show: 'user' },
  { type: 'call-tools', actor: 'executor', calls: [call('calculator'), call('calendar')] },
  { type: 'call-tools', actor: 'nobody', calls: [] },
  { type: 'permit', actor: 'executor', call: call('calculator') },
  { type: 'say', actor: 'speaker', text: '' },
  { type: 'ask', actor: 'speaker', question: '' },
  { type: 'recall', actor: 'keeper', memory: 'intent' },
  { type: 'remember', actor: 'keeper', memory: 'plans', value: 1 },
  { type: 'sleep', actor: 'nobody', untilMs: 0 },
]

const forbidden: readonly (readonly [what: string, effect: Effect])[] = [
  ['actor:stranger', { type: 'sleep', actor: 'stranger', untilMs: 0 }],
  ['actor:constructor', { type: 'sleep', actor: 'constructor', untilMs: 0 }],
  ['role:big', { type: 'generate', actor: 'planner', role: 'big', messages }],
  ['role:small', { type: 'generate', actor: 'executor', role: 'small', messages }],
  ['speak', { type: 'generate', actor: 'planner', role: 'small', messages, show: 'user' }],
  [
    'tool:rm',
    { type: 'generate', actor: 'planner', role: 'small', messages, tools: ['calculator', 'rm'] },
  ],
  ['tool:rm', { type: 'call-tools', actor: 'executor', calls: [call('calendar'), call('rm')] }],
  ['tool:calculator', { type: 'call-tools', actor: 'nobody', calls: [call('calculator')] }],
  ['tool:rm', { type: 'permit', actor: 'executor', call: call('rm') }],
  ['speak', { type: 'say', actor: 'planner', text: '' }],
  ['ask', { type: 'ask', actor: 'planner', question: '' }],
  ['read:plans', { type: 'recall', actor: 'keeper', memory: 'plans' }],
  ['write:intent', { type: 'remember', actor: 'keeper', memory: 'intent', value: 1 }],
]

test('an actor may do what it lists', () => {
  for (const effect of allowed) assert.equal(overstep(actors, effect), undefined, effect.type)
})

test('an effect that an actor does not list is named by the missing capability', () => {
  for (const [what, effect] of forbidden) assert.equal(overstep(actors, effect), what)
})

test('several effects at once may do no more than each alone', () => {
  const small: Effect = { type: 'generate', actor: 'planner', role: 'small', messages }
  const big: Effect = { type: 'generate', actor: 'planner', role: 'big', messages }
  assert.equal(overstep(actors, { type: 'together', effects: [small, small] }), undefined)
  assert.equal(overstep(actors, { type: 'together', effects: [small, big] }), 'role:big')
})
