import qrcode from 'qrcode-generator';

/** Scanners need a border of four modules (ISO/IEC 18004 §5.3.8). */
const QUIET = 4;

/** A QR code of an address, as one path: sharp at any size, also on paper. */
export function Qr({ text, label }: { readonly text: string; readonly label: string }) {
  const code = qrcode(0, 'M');
  code.addData(text);
  code.make();
  const modules = code.getModuleCount();
  let path = '';
  for (let row = 0; row < modules; row += 1)
    for (let column = 0; column < modules; column += 1)
      if (code.isDark(row, column)) path += `M${column + QUIET} ${row + QUIET}h1v1h-1z`;
  const size = modules + 2 * QUIET;
  return (
    <svg
      class="qr"
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={label}
      shape-rendering="crispEdges"
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}
