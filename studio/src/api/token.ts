/*
 * A server with tokens wants one with every request. It is kept for this tab alone, and never in an
 * address.
 */

const KEY = 'echelon.token'

export const readToken = (): string | undefined => sessionStorage.getItem(KEY) ?? undefined

export const keepToken = (token: string): void => sessionStorage.setItem(KEY, token)

export const forgetToken = (): void => sessionStorage.removeItem(KEY)
