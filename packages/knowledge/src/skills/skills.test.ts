import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { checkStateShapes } from '../../../echelon/src/testing/check-state-shapes.ts'
import { defineSkill } from './skill.ts'
import { skills } from './skills.ts'

test('[C-26] the state of skills keeps its shape or raises its version', () => {
  // UPDATE_STATE_SHAPES=1 updates the file if that is allowed.
  checkStateShapes(join(import.meta.dirname, 'state-shapes.json'), [skills([])], {
    update: process.env['UPDATE_STATE_SHAPES'] === '1',
  })
})

test('a skill in code needs a name and description that the format allows', () => {
  const instructions = 'Do it.'
  assert.throws(
    () => defineSkill({ name: 'Do It', description: 'does it', instructions }),
    /a skill's name is "Do It"; use lowercase letters/,
  )
  assert.throws(
    () => defineSkill({ name: 'do-it', description: ' ', instructions }),
    /a skill's description is missing/,
  )
})
