/** The part of pngjs that is used; the package has no types. */
declare module 'pngjs' {
  interface Decoded {
    readonly width: number
    readonly height: number
    /** RGBA, four bytes a pixel. */
    readonly data: Uint8Array
  }
  const pngjs: { readonly PNG: { readonly sync: { read(file: Uint8Array): Decoded } } }
  export default pngjs
}
