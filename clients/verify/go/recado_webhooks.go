// Package recado checks the signature of a Recado webhook. Copy this file; it needs Go 1.18 or newer and nothing else.
package recado

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// Tolerance is the greatest age of a delivery, and how far ahead its clock may be.
const Tolerance = 300 * time.Second

var seconds = regexp.MustCompile(`^[0-9]{1,12}$`)

// IsAuthentic tells whether Recado signed this delivery with the secret, at most five minutes before now.
//
// rawBody is what io.ReadAll(r.Body) returned, before any JSON parser touched it. timestamp and signature are
// r.Header.Get("Service-Timestamp") and r.Header.Get("Service-Signature"), empty if absent. secret is the
// integration's webhook secret as shown, with its whsec_ prefix; an empty one accepts nothing. now is time.Now().
func IsAuthentic(rawBody []byte, timestamp, signature, secret string, now time.Time) bool {
	if secret == "" || !seconds.MatchString(timestamp) {
		return false
	}
	signedAt, err := strconv.ParseInt(timestamp, 10, 64)
	if err != nil {
		return false
	}
	age := now.Sub(time.Unix(signedAt, 0))
	if age > Tolerance || age < -Tolerance {
		return false
	}
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(timestamp + "."))
	mac.Write(rawBody)
	expected := []byte("v1=" + hex.EncodeToString(mac.Sum(nil)))
	// One entry, or two while the secret is rotated. hmac.Equal takes the same time wherever they differ.
	for _, entry := range strings.Split(signature, ",") {
		if hmac.Equal([]byte(entry), expected) {
			return true
		}
	}
	return false
}
