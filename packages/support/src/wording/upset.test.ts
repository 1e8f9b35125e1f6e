import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isUpset } from './upset.ts'

test('[S-13] plain anger is told from calm words and from praise', () => {
  for (const text of [
    'this is outrageous, I have been waiting for ten days',
    'where the hell are my boots',
    'I am really disappointed in this shop',
    'are you kidding me? again late',
  ]) {
    assert.equal(isUpset(text), true, text)
  }
  for (const text of [
    'where are my boots',
    "I'm not upset, only curious when it comes",
    'unbelievable how fast that was, thank you',
    'could you cancel it please',
  ]) {
    assert.equal(isUpset(text), false, text)
  }
})
