import { Skeleton, Stack, VisuallyHidden } from '@mantine/core'

/** Stands where an answer of the server will be. */
export const Loading = ({ rows = 4 }: { readonly rows?: number }) => (
  <Stack gap="sm" component="output">
    <VisuallyHidden>Loading</VisuallyHidden>
    {Array.from({ length: rows }, (_, row) => (
      <Skeleton key={row} height={44} />
    ))}
  </Stack>
)
