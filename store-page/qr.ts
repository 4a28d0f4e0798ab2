/** A QR code as inline SVG: a single path, so that it is small and sharp at any size. */
import qrcode from 'qrcode-generator';

/** Width of the quiet zone; scanners need four modules (ISO/IEC 18004 §5.3.8). */
const QUIET = 4;

/** @param text ASCII, such as a Pix code; at most about 2,300 characters */
export function qrSvg(text: string): string {
  const code = qrcode(0, 'M');
  code.addData(text);
  code.make();
  const count = code.getModuleCount();
  let path = '';
  for (let row = 0; row < count; row += 1) {
    for (let column = 0; column < count; column += 1) {
      if (!code.isDark(row, column)) continue;
      let run = 1;
      while (column + run < count && code.isDark(row, column + run)) run += 1;
      path += `M${column + QUIET} ${row + QUIET}h${run}v1h-${run}z`;
      column += run;
    }
  }
  const size = count + 2 * QUIET;
  return `<svg viewBox="0 0 ${size} ${size}" width="240" height="240" shape-rendering="crispEdges" aria-hidden="true" focusable="false"><rect width="${size}" height="${size}" fill="#fff"/><path d="${path}" fill="#000"/></svg>`;
}
