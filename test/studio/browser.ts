import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'

/** Debian's Chromium without windows takes half the processor time of the whole one. */
const INSTALLED = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium']
const CHROMIUM = process.env['CHROMIUM'] ?? INSTALLED.find((path) => existsSync(path))

/** The browser looks for nothing outside of this machine. */
const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

export const SCHEMES = ['light', 'dark'] as const
export const WIDTHS = [1440, 390] as const

export interface Look {
  readonly scheme?: (typeof SCHEMES)[number]
  readonly width?: (typeof WIDTHS)[number]
}

/** Starts the one browser of all tests. @throws if it is not installed */
export async function openBrowser(): Promise<Browser> {
  assert.ok(
    CHROMIUM !== undefined && existsSync(CHROMIUM),
    'the tests of the Studio need Chromium: apt-get install chromium-headless-shell, or set CHROMIUM to its path',
  )
  return chromium.launch({ executablePath: CHROMIUM, args: FLAGS })
}

/** Evaluates an expression in a page. It is text, since its globals are not those of Node. */
export const inPage = <Value>(page: Page, expression: string): Promise<Value> =>
  page.evaluate(expression)

const WITHIN_MS = 10_000

/** Waits until something holds. The page's policy keeps Playwright from waiting inside of it. */
export async function until(holds: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + WITHIN_MS
  while (!(await holds())) {
    assert.ok(Date.now() < end, 'it did not come in time')
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

/** Problems that no page may have: an error, or a request that leaves the server. */
export interface Watched {
  readonly page: Page
  readonly context: BrowserContext
  readonly problems: string[]
}

/** A page with an eye on it. The tests fail if a problem is left in the list. */
export async function openPage(
  browser: Browser,
  url: string,
  { scheme = 'light', width = 1440 }: Look = {},
): Promise<Watched> {
  const context = await browser.newContext({
    viewport: { width, height: width === 390 ? 844 : 900 },
    colorScheme: scheme,
    // A phone's scroll bars take no room.
    hasTouch: width === 390,
    isMobile: width === 390,
    reducedMotion: 'reduce',
    baseURL: url,
    locale: 'en-US',
    timezoneId: 'UTC',
  })
  const page = await context.newPage()
  // When the main part of a view is there, in milliseconds since its address was opened.
  await page.addInitScript(`new MutationObserver((_, watch) => {
    if (document.querySelector('main h1') === null) return
    globalThis.usableAt = performance.now()
    watch.disconnect()
  }).observe(document, { childList: true, subtree: true })`)
  page.setDefaultTimeout(10_000)
  const problems: string[] = []
  page.on('pageerror', ({ message }) => problems.push(message))
  page.on('console', (said) => {
    if (said.type() === 'error' || said.type() === 'warning') problems.push(said.text())
  })
  page.on('request', (request) => {
    const address = request.url()
    const isOwn = address.startsWith(url) || /^(blob|data):/.test(address)
    if (!isOwn) problems.push(`a request to ${address}`)
  })
  return { page, context, problems }
}
