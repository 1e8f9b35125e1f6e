import { createRootRoute } from '@tanstack/react-router'
import { NotFound } from '../pieces/not-found.tsx'
import { Problem } from '../pieces/problem.tsx'
import { Shell } from './shell.tsx'

/** Every view is inside the shell. */
export const rootRoute = createRootRoute({
  component: Shell,
  notFoundComponent: NotFound,
  errorComponent: ({ error }) => <Problem error={error} />,
})
