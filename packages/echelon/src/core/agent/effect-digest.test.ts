import assert from 'node:assert/strict'
import { test } from 'node:test'
import { digestEffect } from './effect-digest.ts'
import type { CallTools, Effect, Generate } from './effect.ts'
import { Thread, userMessage } from '../message/thread.ts'

const generate: Generate = {
  type: 'generate',
  actor: 'planner',
  role: 'small',
  messages: Thread.of([userMessage('a')]),
}
const calls: CallTools = {
  type: 'call-tools',
  actor: 'executor',
  calls: [{ id: 'c0', tool: 'calculator', input: { expr: '15 * 23' } }],
}

test('the digest covers every field of an effect', () => {
  const others: readonly Effect[] = [
    generate,
    { ...generate, role: 'big' },
    { ...generate, actor: 'evaluator' },
    { ...generate, sampling: { temperature: 0 } },
    { ...generate, maxTokens: 5 },
    { ...generate, tools: ['calculator'] },
    { ...generate, schema: {} },
    { ...generate, messages: Thread.of([userMessage('b')]) },
    { ...generate, messages: Thread.of([userMessage('a'), userMessage('a')]) },
    calls,
    { ...calls, atOnce: 2 },
    { ...calls, calls: [{ id: 'c0', tool: 'calculator', input: { expr: '15 * 24' } }] },
    { ...calls, calls: [{ id: 'c0', tool: 'calendar', input: { expr: '15 * 23' } }] },
    { type: 'together', effects: [generate, calls] },
    { type: 'together', effects: [calls, generate] },
    { type: 'together', effects: [generate] },
    { type: 'say', actor: 'executor', text: 'a' },
    { type: 'ask', actor: 'executor', question: 'a' },
  ]
  assert.equal(new Set(others.map(digestEffect)).size, others.length)
})

test('equal effects have equal digests, however their threads were built', () => {
  const again = { ...generate, messages: Thread.of([]).add(userMessage('a')) }
  assert.equal(digestEffect(again), digestEffect(generate))
  assert.equal(digestEffect(structuredClone(calls)), digestEffect(calls))
})
