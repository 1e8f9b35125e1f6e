/** Keys by security scheme: a string, or user and password for HTTP basic. */
export type Auth = Readonly<
  Record<string, string | { readonly user: string; readonly pass: string }>
>
