import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { createClient } from 'echelon/client'
import { createServer, hashToken, newToken } from '@echelon/server'
import { openStore } from '@echelon/store'
import { temporaryFolder } from '../../temporary-folder.ts'
import { scriptedAgents } from '../scripted-agents.ts'
import type { World } from '../world.ts'

/** A server with tokens: who may see what, and how one signs in. */
export function users(world: () => World): void {
  suite('users', () => {
    test('a wrong token is refused with a sentence, a right one enters, and the operator decides for a user', async () => {
      const folder = mkdtempSync(join(temporaryFolder(), 'echelon-users-'))
      const store = await openStore(join(folder, 'echelon.db'))
      const [ana, boss] = [newToken(), newToken()]
      const server = createServer({
        agents: scriptedAgents(store).agents,
        store,
        tokens: [
          { name: 'ana', sha256: hashToken(ana), isOperator: false },
          { name: 'boss', sha256: hashToken(boss), isOperator: true },
        ],
        studio: world().built,
      })
      const url = await server.listen({ port: 0 })
      try {
        const { page, context } = await world().view('/', { url })
        const enter = async (token: string): Promise<void> => {
          await page.locator('input[type=password]').fill(token)
          await page.getByRole('button', { name: 'Enter' }).click()
        }
        await enter('ech_wrong')
        await page.getByText('The server does not know this token.').waitFor()
        await enter(ana)
        await page.getByText('cheapest model whose answer can be verified').waitFor()
        await page.goto('/studio/evaluations')
        await page.getByText('No data sets here').waitFor()
        assert.equal(await page.getByRole('alert').count(), 0)
        const client = createClient({ url, token: ana })
        const { id } = await client.runs.start({
          agent: 'clerk',
          session: 'paying',
          input: 'Pay 40 dollars',
        })
        await page.getByRole('button', { name: 'Sign out' }).click()
        await enter(boss)
        await page.goto('/studio/approvals')
        const card = page.getByRole('article', { name: 'pay?' })
        assert.match(await card.innerText(), /Dollars\s+40[^]*Asked by ana/)
        await card.getByRole('link', { name: 'a conversation with clerk' }).click()
        await page.getByText('This is a conversation of ana.').waitFor()
        await page.getByText('Pay 40 dollars').first().waitFor()
        assert.equal(await page.getByRole('textbox', { name: 'Your message' }).count(), 0)
        await page.getByRole('button', { name: 'Approve', exact: true }).click()
        assert.equal((await client.runs.end(id)).end?.text, 'It is paid.')
        await context.close()
      } finally {
        await server.stop()
        await store.close()
        rmSync(folder, { recursive: true, force: true })
      }
    })

    test('the page works by plain http, where browsers give no random ids', async () => {
      const { page, context, problems } = await world().view('/')
      await context.addInitScript('delete Crypto.prototype.randomUUID')
      await page.goto('/studio/conversations')
      await page.getByRole('link', { name: 'Talk with clerk' }).click()
      await page.getByRole('textbox', { name: 'Your message' }).fill('Write HTML')
      await page.getByRole('button', { name: 'Send' }).click()
      await page.getByText('See the whole run').waitFor()
      assert.deepEqual(problems, [])
      await context.close()
    })
  })
}
