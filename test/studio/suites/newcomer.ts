import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { temporaryFolder } from '../../temporary-folder.ts'
import { untilSaid } from '../../until-said.ts'
import { openPage } from '../browser.ts'
import type { World } from '../world.ts'

const START = join(import.meta.dirname, '../../../toolchain/start.js')

/** `npm start` in an empty folder, as its script starts it, on a free port. @returns the address it prints */
async function started(t: TestContext): Promise<string> {
  const folder = mkdtempSync(join(temporaryFolder(), 'echelon-newcomer-'))
  const child = spawn(process.execPath, [START, '--port', '0'], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  t.after(async () => {
    child.kill('SIGTERM')
    if (child.exitCode === null) await once(child, 'exit')
    rmSync(folder, { recursive: true, force: true })
  })
  const [, url = ''] = await untilSaid(child, /Studio: (\S+)\/\n/)
  return url
}

/** The steps of a person who has read nothing: from `npm start` to an approved refund and its cost. */
export function newcomer(world: () => World): void {
  test('a newcomer runs a sum, a promoted task and a refund after npm start, and finds the cost', async (t) => {
    const url = await started(t)
    const { page, context, problems } = await openPage(world().browser, url)
    // The agents learn their examples with the first message.
    page.setDefaultTimeout(30_000)
    await page.goto(url)
    await page.getByRole('button', { name: 'Run it: What is 15 * 23?' }).click()
    await page.getByText('345', { exact: true }).first().waitFor()
    await page
      .getByText(/^Accepted: /)
      .first()
      .waitFor()
    assert.equal(await page.getByText('promoted').count(), 0)

    await page.getByRole('link', { name: 'Home', exact: true }).click()
    await page.getByRole('button', { name: /^Run it: What date is two weeks before/ }).click()
    await page.getByText('The task goes from offline/small to offline/big.').waitFor()

    await page.getByRole('link', { name: 'Home', exact: true }).click()
    await page.getByRole('button', { name: /^Run it: I want a refund/ }).click()
    await page.getByRole('button', { name: 'Yes', exact: true }).click()
    await page.getByText('A colleague has to approve that first.').waitFor()
    await page.getByRole('button', { name: 'Approve', exact: true }).click()
    await page.getByText('Your refund of $139.50 for order O-12352 is on its way').waitFor()

    await page.getByRole('link', { name: 'Costs', exact: true }).click()
    await page.getByText('Offline models are free').first().waitFor()
    assert.deepEqual(problems, [])
    await context.close()
  })
}
