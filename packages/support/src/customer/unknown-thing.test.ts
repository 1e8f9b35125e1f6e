import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { namesThing } from './unknown-thing.ts'

suite('a thing that is named', () => {
  for (const text of [
    'I want to return the purple dragon',
    'money back for my hoverboard please',
    'cancel the garden hose that I ordered',
    "I'd like to exchange these roller skates",
  ]) {
    test(`is found in: ${text}`, () => assert.equal(namesThing(text), true))
  }
  for (const text of [
    'cancel my order',
    'refund the broken one',
    'return the whole thing',
    'please cancel it',
    'refund the shipping costs',
    'cancel my last purchase',
  ]) {
    test(`is not found in: ${text}`, () => assert.equal(namesThing(text), false))
  }
})
