/** The content-security policy lets style elements be only with this nonce. */
export const styleNonce = (): string =>
  document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? ''

/** Where the libraries of dialogs look for it. */
Object.assign(globalThis, { __webpack_nonce__: styleNonce() })
