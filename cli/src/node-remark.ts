/** The running Node and its path. */
export interface RunningNode {
  readonly version: string
  readonly platform: string
  readonly arch: string
  readonly execPath: string
}

/** Minimum version that `toolchain/` installs on other platforms. */
const EXPECTED = [24, 18, 1] as const

/**
 * A warning about an outdated Node, or undefined. For macOS on arm64, npm has no Node 24 newer than
 * 24.0.0, and npm scripts prefer that one to the system's.
 */
export function nodeRemark({ version, platform, arch, execPath }: RunningNode): string | undefined {
  const fromNpm = /[\\/]node_modules[\\/]/.test(execPath)
  if (!fromNpm || !isOlder(version)) return undefined
  return `npm installed Node ${version} for ${platform} on ${arch}, which lacks later fixes; install Node ${EXPECTED.join('.')} or newer from https://nodejs.org, and start with: node --conditions=echelon-source cli/src/main.js`
}

function isOlder(version: string): boolean {
  const parts = version.split('.').map(Number)
  for (const [index, expected] of EXPECTED.entries()) {
    const part = parts[index] ?? 0
    if (part !== expected) return part < expected
  }
  return false
}
