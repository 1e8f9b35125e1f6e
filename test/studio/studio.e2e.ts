import { after, before, suite } from 'node:test'
import { openWorld, type World } from './world.ts'
import { accessibility } from './suites/accessibility.ts'
import { approvals } from './suites/approvals.ts'
import { conversations } from './suites/conversations.ts'
import { costs } from './suites/costs.ts'
import { evaluations } from './suites/evaluations.ts'
import { home } from './suites/home.ts'
import { live } from './suites/live.ts'
import { newcomer } from './suites/newcomer.ts'
import { page } from './suites/page.ts'
import { pictures } from './suites/pictures.ts'
import { runs } from './suites/runs.ts'
import { timeTravel } from './suites/time-travel.ts'
import { users } from './suites/users.ts'

/*
 * The Studio in a browser, on a real server. One browser and one server serve all tests, since starting them
 * takes longer than most tests.
 */

let world: World | undefined

/** The world, which is there while tests run. */
const now = (): World => {
  if (world === undefined) throw new Error('the tests have not begun')
  return world
}

suite('the Studio', { timeout: 900_000 }, () => {
  before(async () => {
    world = await openWorld()
  })
  after(async () => {
    await world?.close()
  })
  page(now)
  runs(now)
  live(now)
  timeTravel(now)
  home(now)
  conversations(now)
  evaluations(now)
  costs(now)
  approvals(now)
  users(now)
  accessibility(now)
  pictures(now)
  // Last: the page that `npm start` serves may be built at the same time by the test of the packages.
  newcomer(now)
})
