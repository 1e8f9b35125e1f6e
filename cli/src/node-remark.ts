/** The Node that runs this, and where it lies. */
export interface RunningNode {
  readonly version: string
  readonly platform: string
  readonly arch: string
  readonly execPath: string
}

/** What `toolchain/` brings elsewhere at least. */
const EXPECTED = [24, 18, 1] as const

/**
 * What whoever runs a clone should know of its Node: npm has no newer Node 24 than 24.0.0 for macOS on
 * arm64, and the scripts of npm prefer that one to the system's. Nothing where there is nothing to know.
 */
export function nodeRemark({ version, platform, arch, execPath }: RunningNode): string | undefined {
  const fromNpm = /[\\/]node_modules[\\/]/.test(execPath)
  if (!fromNpm || !isOlder(version)) return undefined
  return `npm brings Node ${version} for ${platform} on ${arch}, which lacks later fixes; install Node ${EXPECTED.join('.')} or newer from https://nodejs.org, and start with: node --conditions=echelon-source cli/src/main.js`
}

function isOlder(version: string): boolean {
  const parts = version.split('.').map(Number)
  for (const [index, expected] of EXPECTED.entries()) {
    const part = parts[index] ?? 0
    if (part !== expected) return part < expected
  }
  return false
}
