import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { folderFor } from '../testing/run-command.ts'
import { onTerminal } from '../testing/terminal.ts'

describe('echelon assist on a terminal', () => {
  test('greets, answers, explains itself and stops', async (t) => {
    const { status, screen } = await onTerminal(
      ['assist'],
      [
        ['> ', 'Should I move to Berlin?\r'],
        ['take from it?', ''],
        ['> ', '/why\r'],
        ['outcome   answered', ''],
        ['> ', '/stop\r'],
      ],
      { folder: folderFor(t) },
    )
    assert.equal(status, 0, screen)
    assert.match(screen, /^echelon assist · no model: rules and north stars · \/help/)
  })
})
