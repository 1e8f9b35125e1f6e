import assert from 'node:assert/strict'
import test from 'node:test'
import { createRedactor, type Redactor } from '../../core/redaction/redaction.ts'
import { systemMessage, Thread, userMessage } from '../../core/message/thread.ts'
import { PromptIds } from './prompt-id.ts'

const ids = (): PromptIds => new PromptIds(createRedactor())
const prompt = (...texts: readonly string[]): Thread =>
  Thread.of([systemMessage('Plan.'), ...texts.map(userMessage)])

test('[DD-11] equal prompts have equal ids in every run; others differ', () => {
  const first = ids().of(prompt('What is 15 * 23?'))
  assert.match(first, /^p[0-9a-z]{11}$/)
  assert.equal(ids().of(prompt('What is 15 * 23?')), first)
  const others = [prompt('What is 15 * 24?'), prompt(), prompt('What is', '15 * 23?')]
  assert.equal(new Set([first, ...others.map((other) => ids().of(other))]).size, 4)
})

test('the id does not depend on how the conversation was built', () => {
  const rolling = ids()
  let thread = prompt()
  rolling.of(thread)
  for (const text of ['a', 'b', 'c']) {
    thread = thread.add(userMessage(text))
    assert.equal(rolling.of(thread), ids().of(Thread.of([...thread.toArray()])))
  }
  const fork = prompt('a')
  assert.equal(rolling.of(fork), ids().of(prompt('a')))
})

test('[DD-11] a hidden value cannot be recovered by trying candidates', () => {
  const of = (number: string): string => ids().of(prompt(`call 0171 ${number}`))
  assert.equal(of('3920012'), of('3920013'))
})

test('a growing conversation is processed incrementally', () => {
  let looked = 0
  const redact = createRedactor(null)
  const counting: Redactor = (value) => {
    looked++
    return redact(value)
  }
  const rolling = new PromptIds(counting)
  let thread = prompt()
  for (let turn = 0; turn < 100; turn++) {
    thread = thread.add(userMessage(String(turn)))
    rolling.of(thread)
  }
  assert.equal(looked, 101)
})
