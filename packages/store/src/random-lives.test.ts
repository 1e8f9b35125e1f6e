import { test } from 'node:test'
import { IS_WHOLE } from '../../../test/share.ts'
import { checkRandomLives } from './random-lives-in-tests.ts'
import { openStore } from './sqlite/in-tests.ts'

test('for any operations of two processes, a store answers from its entries and one process writes a run', () =>
  checkRandomLives(
    async (options) => {
      const first = await openStore(':memory:', options)
      return [first, await openStore(first.path, options)]
    },
    IS_WHOLE ? 100 : 8,
  ))
