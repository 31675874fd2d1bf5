import { Waiting } from './waiting.jsx';

// Drawn anew for each request, not once at the build.
export const dynamic = 'force-dynamic';

export default function Page() {
  return <Waiting />;
}
